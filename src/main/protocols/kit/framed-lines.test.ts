import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { ProcessLine } from '../../core/agent-processes/line-reader'
import { FramedLines } from './framed-lines'

function readAll(frames: readonly (Buffer | string)[], longest = 1_000_000): ProcessLine[] {
  const reader = new FramedLines(longest)
  return [...frames.flatMap((frame) => [...reader.read(Buffer.from(frame))]), ...reader.rest()]
}

const messages = (lines: readonly ProcessLine[]): unknown[] =>
  lines.map((line) => (line.kind === 'line' ? JSON.parse(line.text) : line.kind))

/** Cuts bytes at these places, each taken within the whole. */
function cut(bytes: Buffer, places: readonly number[]): Buffer[] {
  const at = [...new Set(places.map((place) => place % (bytes.length + 1)))].sort((a, b) => a - b)
  return [...at, bytes.length].map((to, index) => bytes.subarray(at[index - 1] ?? 0, to))
}

describe('frames of lines', () => {
  test('however a text is cut into frames, its messages are the same', () => {
    const message = fc.dictionary(fc.string({ unit: 'binary' }), fc.jsonValue())
    const end = fc.constantFrom('\n', '\r\n', '\n\n', '\n \r\n')
    fc.assert(
      fc.property(
        fc.array(fc.tuple(message, end), { maxLength: 8 }),
        fc.boolean(),
        fc.array(fc.nat(), { maxLength: 30 }),
        (said, isOpen, places) => {
          const text = said.map(([value, after]) => JSON.stringify(value) + after).join('')
          const bytes = Buffer.from(isOpen ? text.trimEnd() : text)
          const wanted = said.map(([value]) => JSON.parse(JSON.stringify(value)) as unknown)
          expect(messages(readAll(cut(bytes, places)))).toEqual(wanted)
        },
      ),
    )
  })

  test('a message without the end of its line comes with its frame, and the end that follows says nothing', () => {
    const reader = new FramedLines(1000)
    const come = (frame: string) => messages([...reader.read(Buffer.from(frame))])
    expect(come('{"a":"}{\\"}"')).toEqual([])
    expect(come('}')).toEqual([{ a: '}{"}' }])
    expect(come('\n{"b":{}}')).toEqual([{ b: {} }])
    expect(come('{"c":1}')).toEqual([{ c: 1 }])
    expect(come(' ')).toEqual([])
    expect(come('\n')).toEqual([])
    expect([...reader.rest()]).toEqual([])
  })

  test('what is no object waits for the end of its line, and is told when there is none', () => {
    const reader = new FramedLines(1000)
    expect([...reader.read(Buffer.from('nonsense'))]).toEqual([])
    expect([...reader.read(Buffer.from('}\n'))]).toEqual([{ kind: 'line', text: 'nonsense}' }])
    expect([...reader.read(Buffer.from('12'))]).toEqual([])
    expect([...reader.rest()]).toEqual([{ kind: 'line', text: '12' }])
  })

  test('a message that is too long over many frames is told by its length, and the next one is read', () => {
    const long = `{"text":"${'x'.repeat(500)}"}`
    const frames = [long.slice(0, 200), long.slice(200, 400), `${long.slice(400)}\n{"next":1}\n`]
    expect(readAll(frames, 100)).toMatchObject([
      { kind: 'too-long', bytes: long.length },
      { kind: 'line', text: '{"next":1}' },
    ])
  })
})
