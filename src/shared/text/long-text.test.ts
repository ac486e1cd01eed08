import fc from 'fast-check'
import { expect, test } from 'vitest'
import { joinLongText, splitLongText } from './long-text'

const anyText = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.constantFrom('\n', '\r\n', '"', '\\', '\ud800', '\udc00', '\u2028', '\0', '😀'),
)
const longText = fc
  .tuple(fc.array(anyText, { minLength: 1, maxLength: 20 }), fc.integer({ min: 0, max: 3 }))
  .map(([parts, times]) => parts.join('').repeat(1 + times * 500))
const anyData = fc.oneof(
  fc
    .anything({ withNullPrototype: false })
    .map((value) => JSON.parse(JSON.stringify(value) ?? 'null') as unknown),
  fc.dictionary(
    fc.string().filter((name) => name !== '__proto__'),
    fc.oneof(longText, fc.integer(), fc.constant(null)),
    { noNullPrototype: true },
  ),
)

/** What a channel makes of a text: UTF-8 on a socket. */
const overSocket = (frame: string) => Buffer.from(frame).toString()

test('a message comes out as it went in, over a socket too', () => {
  let apart = 0
  fc.assert(
    fc.property(anyData, (data) => {
      const message = { t: 'delta', id: 1, rev: 2, data }
      const frame = splitLongText(message)
      if (frame.includes('\n')) apart++
      expect(joinLongText(overSocket(frame))).toEqual(message)
    }),
    { numRuns: 500 },
  )
  expect(apart).toBeGreaterThan(20)
})

test('a long text stands in the frame as it is, a short one and half a character in JSON', () => {
  const text = '\x1b[31m"a"\r\n'.repeat(1000)
  expect(splitLongText({ data: { kind: 'output', data: text } }).endsWith(`\n${text}`)).toBe(true)
  expect(splitLongText({ data: { kind: 'output', data: 'a\n' } })).not.toContain('\n')
  expect(splitLongText({ data: { data: `${text}\ud800` } })).not.toContain('\n')
})
