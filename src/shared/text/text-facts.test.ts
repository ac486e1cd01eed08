import fc from 'fast-check'
import { Text } from '@codemirror/state'
import { expect, test } from 'vitest'
import { diffLines } from './line-diff'
import {
  adoptLineEnds,
  decodeText,
  encodeText,
  offsetAt,
  parseText,
  positionAt,
  restoreText,
  toText,
  type FactualText,
} from './text-facts'

const piece = fc.constantFrom(
  'a',
  'é',
  '😀',
  '\ud83d',
  '\n',
  '\r\n',
  '\r',
  '\n',
  '\r\n',
  ' ',
  '\ufeff',
  'xyz',
)
const raw = fc.array(piece, { maxLength: 30 }).map((pieces) => pieces.join(''))
const wellFormed = raw.map((text) => text.replace(/\p{Surrogate}/gu, ''))

function bytesOf(text: string): Uint8Array {
  return new Uint8Array(Buffer.from(text, 'utf8'))
}

function decoded(bytes: Uint8Array): FactualText {
  const result = decodeText(bytes)
  if (result.kind !== 'text') throw new Error('binary')
  return result
}

test('every UTF-8 text comes back byte for byte', () => {
  fc.assert(
    fc.property(wellFormed, (text) => {
      const bytes = bytesOf(text)
      const { text: inner, facts } = decoded(bytes)
      expect([...encodeText(inner, facts)]).toEqual([...bytes])
    }),
    { numRuns: 3000 },
  )
})

test.each(['utf-16le', 'utf-16be'] as const)(
  'every %s text with its mark comes back, half surrogates too',
  (encoding) => {
    fc.assert(
      fc.property(raw, (text) => {
        const bytes = Buffer.from('\ufeff' + text, 'utf16le')
        if (encoding === 'utf-16be') bytes.swap16()
        const { text: inner, facts } = decoded(bytes)
        expect(facts.encoding).toBe(encoding)
        expect(restoreText(inner, facts)).toBe('\ufeff' + text)
        expect([...encodeText(inner, facts)]).toEqual([...bytes])
      }),
      { numRuns: 1000 },
    )
  },
)

test('any bytes are either binary or come back unchanged', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 12 }), (bytes) => {
      const result = decodeText(bytes)
      if (result.kind === 'binary') expect(result.size).toBe(bytes.length)
      else expect([...encodeText(result.text, result.facts)]).toEqual([...bytes])
    }),
    { numRuns: 5000 },
  )
})

test.each([
  ['bad UTF-8', [0x61, 0xff, 0x62]],
  ['a cut sequence', [0x61, 0xc3]],
  ['a NUL', [0x61, 0, 0x62]],
  ['UTF-16 with half a unit', [0xff, 0xfe, 0x61]],
  ['UTF-32', [0xff, 0xfe, 0, 0, 0x61, 0, 0, 0]],
])('%s is binary', (_, bytes) => {
  expect(decodeText(new Uint8Array(bytes))).toEqual({ kind: 'binary', size: bytes.length })
})

test.each([
  ['', 'lf', ''],
  ['a', 'lf', 'a'],
  ['a\nb\n', 'lf', 'a\nb\n'],
  ['a\r\nb\r\n', 'crlf', 'a\nb\n'],
  ['a\r\nb', 'crlf', 'a\nb'],
  ['a\rb\r', 'cr', 'a\nb\n'],
  ['a\r\nb\n', 'mixed', 'a\r\nb\n'],
  ['a\nb\r\nc', 'mixed', 'a\nb\r\nc'],
  ['50%\r100%\n', 'lf', '50%\r100%\n'],
  ['50%\r100%\r\n', 'crlf', '50%\r100%\n'],
] as const)('%j ends its lines with %s', (text, eol, inner) => {
  expect(parseText(text)).toEqual({
    text: inner,
    facts: { encoding: 'utf-8', bom: false, eol },
  })
})

test('a byte order mark is a fact, a second one is text', () => {
  const { text, facts } = decoded(bytesOf('\ufeff\ufeffa'))
  expect([text, facts.bom]).toEqual(['\ufeffa', true])
})

test('a long UTF-16 text is read whole', () => {
  const text = '\ufeff' + '0123456789'.repeat(5000)
  expect(decoded(Buffer.from(text, 'utf16le')).text).toBe(text.slice(1))
})

const content = fc.constantFrom('a', 'b', '', '  c', 'd')
const contents = fc.array(content, { minLength: 2, maxLength: 12 })
const ends = fc.array(fc.constantFrom('\n', '\r\n'), { minLength: 12, maxLength: 12 })
function withEnds(lines: readonly string[], lineEnds: readonly string[]): string {
  return lines.map((line, i) => (i < lines.length - 1 ? line + lineEnds[i % lineEnds.length] : line)).join('')
}

test('a proposal that differs by line ends or byte order mark only is no change at all', () => {
  fc.assert(
    fc.property(
      contents,
      ends,
      fc.constantFrom('\n', '\r\n', '\r'),
      fc.boolean(),
      (lines, mixture, end, bom) => {
        for (const base of [
          withEnds(lines, mixture),
          withEnds(lines, ['\n']),
          withEnds(lines, ['\r\n']),
          withEnds(lines, ['\r']),
        ]) {
          const parsed = parseText((bom ? '\ufeff' : '') + base)
          const adopted = adoptLineEnds(parsed, withEnds(lines, [end]))
          expect(adopted).toEqual(parsed)
        }
      },
    ),
    { numRuns: 1000 },
  )
})

test('the lines an agent adds take the ends of the file, the others keep theirs', () => {
  const base = parseText('one\r\ntwo\nthree\r\nfour\r\n')
  const adopted = adoptLineEnds(base, 'one\ntwo\nnew\nthree\nfour\n')
  expect(restoreText(adopted.text, adopted.facts)).toBe('one\r\ntwo\nnew\r\nthree\r\nfour\r\n')
})

test('only the lines whose content changed differ from the base', () => {
  fc.assert(
    fc.property(contents, contents, ends, fc.constantFrom('\n', '\r\n'), (lines, proposal, mixture, end) => {
      const base = parseText(withEnds(lines, mixture))
      const adopted = adoptLineEnds(base, withEnds(proposal, [end]))
      const strip = (text: string) => text.replaceAll('\r', '').split('\n')
      expect(strip(adopted.text)).toEqual(proposal)
      const touched = diffLines(base.text.split('\n'), adopted.text.split('\n'))
      // A last line that is last no longer gains an end, and neither diff need be the shortest.
      const wanted = diffLines(lines, proposal).reduce((sum, c) => sum + c.toB - c.fromB, 0)
      expect(touched.reduce((sum, c) => sum + c.toB - c.fromB, 0)).toBeLessThanOrEqual(wanted * 1.25 + 4)
    }),
    { numRuns: 2000 },
  )
})

test('a proposal that keeps a file’s mixed ends is taken to the letter, new lines included', () => {
  const base = parseText('one\r\ntwo\nthree\r\n')
  const proposed = 'one\r\nnew\ntwo\nthree\r\n'
  const adopted = adoptLineEnds(base, proposed)
  expect(restoreText(adopted.text, adopted.facts)).toBe(proposed)
})

test('a base without line ends takes the ends of the proposal', () => {
  const adopted = adoptLineEnds(parseText(''), 'a\r\nb\r\n')
  expect(adopted.text).toBe('a\nb\n')
  expect(restoreText(adopted.text, adopted.facts)).toBe('a\r\nb\r\n')
})

test('a lone CR inside a line is a character that survives', () => {
  const adopted = adoptLineEnds(parseText('a\r\nb\r\n'), 'a\nx\ry\nb\n')
  expect(restoreText(adopted.text, adopted.facts)).toBe('a\r\nx\ry\r\nb\r\n')
})

test('encoding and byte order mark of the base stay, a new mark is kept', () => {
  const base = decoded(Buffer.from('\ufeffa\r\n', 'utf16le'))
  expect(adoptLineEnds(base, 'b\n').facts).toEqual({
    encoding: 'utf-16le',
    bom: true,
    eol: 'crlf',
  })
  expect(adoptLineEnds(parseText('a\n'), '\ufeffa\n')).toMatchObject({ text: 'a\n', facts: { bom: true } })
})

test('offsets and positions are each other’s inverse', () => {
  fc.assert(
    fc.property(raw, fc.nat(60), (text, offset) => {
      const doc = toText(text)
      expect(doc.length).toBe(text.length)
      const within = Math.min(offset, doc.length)
      const position = positionAt(doc, offset)
      expect(offsetAt(doc, position)).toBe(within)
      expect(text.slice(0, within).split('\n').length - 1).toBe(position.line)
    }),
  )
})

test('positions beyond a line or the text are brought inside', () => {
  const doc = Text.of(['ab', 'c'])
  expect(offsetAt(doc, { line: 0, character: 99 })).toBe(2)
  expect(offsetAt(doc, { line: 9, character: 0 })).toBe(4)
  expect(offsetAt(doc, { line: -1, character: 3 })).toBe(0)
  expect(positionAt(doc, -5)).toEqual({ line: 0, character: 0 })
})
