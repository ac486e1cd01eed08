import fc from 'fast-check'
import { expect, test } from 'vitest'
import { GrowingReader, partsOf } from './markdown-tokens'

/** The tokens of a text that is read as a whole. */
const readMarkdown = (text: string) => {
  const read = new GrowingReader().read(text)
  return read && [...read.groups.flat(), ...read.rest]
}

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

const fragment = fc.constantFrom(
  ...[
    'word ',
    '*',
    '**',
    '`',
    '```',
    '```js\n',
    '\n',
    '\n\n',
    '\n\n',
    '- a',
    '1. b',
    '  ',
    '    ',
    '> ',
    '# t',
    '---',
  ],
  ...[
    '| a | b |\n|---|---|\n',
    '| c |',
    '[x]',
    '[x]: https://a.example\n',
    '(y)',
    '<b>',
    '===',
    '\n\nA paragraph.\n\n',
  ],
)

test('however it grows, a text is read as it would be whole', () => {
  fc.assert(
    fc.property(
      fc.array(fragment, { maxLength: 120 }),
      fc.array(fc.integer({ min: 1, max: 9 })),
      (parts, steps) => {
        const reader = new GrowingReader()
        let text = ''
        for (let at = 0, step = 0; at < parts.length; step++) {
          const to = at + (steps[step % Math.max(1, steps.length)] ?? 4)
          text += parts.slice(at, to).join('')
          at = to
          const read = reader.read(text)
          expect(read && [...read.groups.flat(), ...read.rest]).toEqual(readMarkdown(text))
        }
      },
    ),
  )
})

test('of a long text that grows only the end is read anew, and what is settled stays the same', () => {
  const reader = new GrowingReader()
  let text = ''
  let before: readonly unknown[] = []
  for (let step = 0; step < 400; step++) {
    text += `Paragraph ${step} with *words*.\n\n`
    const { groups, rest } = reader.read(text) ?? { groups: [], rest: [] }
    expect(rest.length).toBeLessThan(60)
    expect(groups.slice(0, before.length).every((group, index) => group === before[index])).toBe(true)
    before = groups
  }
  expect(before.length).toBeGreaterThan(10)
})

test('a text falls into blocks and items of lists, each with its lines', () => {
  const { parts, links } = partsOf(
    '# Plan\n\n1. One\n   more\n2. Two\n\n    code\n\n[a]: https://x.y\n\nEnd\n',
  )
  expect(parts.map(({ text, from, to }) => [text, from, to])).toEqual([
    ['# Plan', 1, 1],
    ['1. One\n   more', 3, 4],
    ['2. Two\n\n    code', 5, 7],
    ['[a]: https://x.y', 9, 9],
    ['End', 11, 11],
  ])
  expect(links).toEqual({ a: { href: 'https://x.y' } })
  expect(partsOf('- '.repeat(5000) + 'x').parts).toHaveLength(1)
  expect(partsOf('').parts).toEqual([])
  // Only the first counts, but each is a part.
  expect(partsOf('\n[a]: b\n[a]: c').parts).toEqual([
    { text: '[a]: b', from: 2, to: 2 },
    { text: '[a]: c', from: 3, to: 3 },
  ])
  // Here the parser ends a block within a line.
  expect(partsOf('<!A\n>!').parts).toEqual([{ text: '<!A\n>!', from: 1, to: 2 }])
  const many = Array.from({ length: 4000 }, (_, index) => `${index + 1}. Step`).join('\n')
  const grouped = partsOf(`${many}\n`).parts
  expect(grouped).toHaveLength(500)
  expect(grouped.map((part) => part.text).join('\n')).toBe(many)
  expect(grouped.at(-1)).toMatchObject({ from: 3993, to: 4000 })
})

test('nothing of a text is missing in its parts, and they keep their lines', () => {
  const line = fc.oneof(
    fc.constantFrom('# a', '1. b', '- c', '  - d', '\te', '', '> f', '```', '| a |', '[g]: h', '---', '<p>'),
    fc.string({ maxLength: 8 }),
  )
  const text = fc.array(line, { maxLength: 14 }).map((lines) => lines.join('\n'))
  const solid = (one: string) => one.replaceAll(/\s/g, '')
  fc.assert(
    fc.property(text, (one) => {
      const { parts } = partsOf(one)
      const whole = one.replaceAll(/\r\n?/g, '\n')
      const lines = whole.split('\n')
      expect(solid(parts.map((part) => part.text).join(''))).toBe(solid(one))
      for (const { text: part, from, to } of parts) {
        expect(
          part
            .split('\n')
            .slice(0, to - from + 1)
            .join(''),
        ).toContain(solid(lines[from - 1] ?? '')[0])
        expect(solid(lines.slice(from - 1, to).join(''))).toContain(solid(part))
      }
    }),
  )
})
