import fc from 'fast-check'
import { expect, test } from 'vitest'
import { mentionOf, tokenAt } from './mentions'

test('a mention is what stands between an @ that begins a word and the cursor', () => {
  const typed = (text: string, caret = text.length) => tokenAt(text, caret)?.typed ?? null
  expect(typed('Look at @src/pu')).toBe('@src/pu')
  expect(typed('@')).toBe('@')
  expect(typed('Look at @src/pump.ts and', 12)).toBe('@src')
  expect(typed('(@a')).toBe('@a')
  for (const text of ['mail@example.org', 'Look at @a b', 'a@', '@a@', 'none']) expect(typed(text)).toBeNull()
  expect(tokenAt('/com', 2)).toEqual({ kind: 'command', typed: '/com', from: 0 })
  expect(typed('a /com')).toBeNull()
})

test('what takes the token’s place leaves the rest of the text as it was', () => {
  fc.assert(
    fc.property(fc.string(), fc.nat(60), (text, at) => {
      const caret = Math.min(at, text.length)
      const token = tokenAt(text, caret)
      if (token?.kind !== 'mention') return
      expect(text.slice(token.from, caret)).toBe(token.typed)
    }),
  )
})

test('a path counts from the folder it is in, and one with spaces stands in quotes', () => {
  expect(mentionOf('/p/src/a.ts', '/p')).toBe('@src/a.ts')
  expect(mentionOf('/p2/a.ts', '/p')).toBe('@/p2/a.ts')
  expect(mentionOf('C:\\p\\a b.ts', 'C:\\p')).toBe('@"a b.ts"')
  expect(mentionOf('/p/a.ts', null, 11)).toBe('@/p/a.ts#L12')
})
