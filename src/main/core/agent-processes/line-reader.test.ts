import fc from 'fast-check'
import { expect, test } from 'vitest'
import { LineReader, type ProcessLine } from './line-reader'

function readAll(bytes: Buffer, cuts: readonly number[], longest: number): ProcessLine[] {
  const reader = new LineReader(longest)
  const places = [...new Set(cuts.map((cut) => cut % (bytes.length + 1)))].sort((a, b) => a - b)
  const found: ProcessLine[] = []
  let from = 0
  for (const to of [...places, bytes.length]) {
    found.push(...reader.read(bytes.subarray(from, to)))
    from = to
  }
  const rest = reader.rest()
  return rest ? [...found, rest] : found
}

test('however its bytes are cut, a text is read as the same lines', () => {
  const line = fc.string({ unit: 'binary' }).map((text) => text.replaceAll(/[\r\n]/g, ' '))
  fc.assert(
    fc.property(
      fc.array(line, { maxLength: 8 }),
      fc.constantFrom('\n', '\r\n'),
      fc.array(fc.nat(), { maxLength: 12 }),
      fc.boolean(),
      (lines, end, cuts, isOpen) => {
        const bytes = Buffer.from(lines.map((text) => text + end).join('') + (isOpen ? 'rest' : ''))
        expect(readAll(bytes, cuts, 100_000)).toEqual(
          [...lines, ...(isOpen ? ['rest'] : [])].map((text) => ({
            kind: 'line',
            text: Buffer.from(text).toString(),
          })),
        )
      },
    ),
  )
})

test('a line at the bound is read, one byte more is not, and the next one is', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 300 }), fc.array(fc.nat()), (longest, cuts) => {
      const [just, over] = ['a'.repeat(longest), 'b'.repeat(longest + 1)]
      expect(readAll(Buffer.from(`${just}\r\n${over}\n${over}\r\nend\n`), cuts, longest)).toEqual([
        { kind: 'line', text: just },
        { kind: 'too-long', bytes: longest + 1, head: over },
        {
          kind: 'too-long',
          bytes: expect.toBeOneOf([longest + 1, longest + 2]),
          head: expect.stringMatching(/^b+\r?$/),
        },
        longest < 3 ? expect.anything() : { kind: 'line', text: 'end' },
      ])
    }),
  )
})
