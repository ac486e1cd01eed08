import fc from 'fast-check'
import { expect, test } from 'vitest'
import { plainText, revealSigns } from './plain-text'

test('a text is one line of letters, and no longer than 200', () => {
  expect(plainText(' a\u001b[31m\u0007b\r\n\tc\u202ed\u2066\u061c ')).toBe('a [31m b cd')
  expect(Array.from(plainText('😀'.repeat(500)))).toHaveLength(200)
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 400 }), (text) => {
      const plain = plainText(text)
      expect(plain).not.toMatch(/[\p{Cc}\u061c\u202a-\u202e\u2066-\u2069]/u)
      expect(Array.from(plain).length).toBeLessThanOrEqual(200)
    }),
  )
})

test('nothing hides in a text that is revealed, and nothing of it is lost', () => {
  expect(revealSigns('rm -rf \u202etxt.\u001b[8m\nok\t')).toEqual([
    { text: 'rm -rf ', hidden: false },
    { text: '\\u{202e}', hidden: true },
    { text: 'txt.', hidden: false },
    { text: '\\u{1b}', hidden: true },
    { text: '[8m\nok\t', hidden: false },
  ])
  const unit = fc.oneof(
    fc.constantFrom(
      'a',
      ' ',
      '\n',
      '\t',
      '\r',
      '\u00a0',
      '\u200b',
      '\u202e',
      '\u2066',
      '\u3164',
      '\ufe0f',
      '\u{e0041}',
    ),
    fc.string({ minLength: 1, maxLength: 1, unit: 'binary' }),
  )
  fc.assert(
    fc.property(fc.string({ unit, maxLength: 40 }), (text) => {
      const pieces = revealSigns(text)
      const back = pieces.map(({ text: piece, hidden }) =>
        hidden
          ? piece.replace(/\\r|\\u\{([0-9a-f]+)\}/g, (_, code?: string) =>
              code === undefined ? '\r' : String.fromCodePoint(Number.parseInt(code, 16)),
            )
          : piece,
      )
      expect(back.join('')).toBe(text)
      for (const { text: piece } of pieces) expect(piece).not.toMatch(/(?![\n\t])[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u)
    }),
  )
})
