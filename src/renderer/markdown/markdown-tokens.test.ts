import { expect, test } from 'vitest'
import { readMarkdown } from './markdown-tokens'

/** The types of the first tokens, from the outermost in. */
const typesOf = (text: string) => {
  const types: string[] = []
  let tokens = readMarkdown(text)
  while (tokens?.[0]) {
    types.push(tokens[0].type)
    tokens = 'tokens' in tokens[0] ? (tokens[0].tokens ?? null) : null
  }
  return types
}

test('a text of a person is read whole', () => {
  expect(typesOf('**bold** and *more*')).toEqual(['paragraph', 'strong', 'text'])
  expect(typesOf('> > quoted')).toEqual(['blockquote', 'blockquote', 'paragraph', 'text'])
  expect(readMarkdown('- a\r\n  - b\r\n')).toEqual(readMarkdown('- a\n  - b\n'))
})

test('a text that would end the stack or nest without end is not drawn', () => {
  for (const deep of ['>'.repeat(5000) + ' x', '- '.repeat(5000) + 'x', '1. > '.repeat(3000) + 'x']) {
    expect(readMarkdown(deep)).toBeNull()
  }
  const stairs = Array.from({ length: 2000 }, (_, level) => `${'  '.repeat(level)}- a`).join('\n')
  expect(readMarkdown(stairs)).toBeNull()
  expect(readMarkdown('a '.repeat(300_000))).toBeNull()
  expect(readMarkdown(`${'- '.repeat(3)}x\n\n${'-'.repeat(300)}\n`)).not.toBeNull()
})

test('paragraphs that take the parser minutes are shown without their marks', () => {
  // Unbounded the first two take 15 to 20 seconds each.
  for (const part of ['*a **b ', '_a __b ', 'a `']) {
    expect(typesOf(part.repeat(3000))).toEqual(['paragraph', 'text'])
  }
  // Many short ones come to the same end.
  const many = Array.from({ length: 400 }, () => '*a **b '.repeat(130)).join('\n\n')
  const tokens = readMarkdown(many) ?? []
  const last = tokens.findLast((token) => token.type === 'paragraph')
  expect(last && 'tokens' in last ? last.tokens?.map((token) => token.type) : null).toEqual(['text'])
})
