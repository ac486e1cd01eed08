import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { differInSpaceOnly, longestMarked, markWords } from './word-marks'

const words = (text: string, spans: readonly { from: number; to: number }[]) =>
  spans.map(({ from, to }) => text.slice(from, to))

describe('markWords', () => {
  it('marks the words that differ', () => {
    const [a, b] = ['const total = sum(lines)', 'const total = add(lines)']
    const marks = markWords(a, b)
    expect(words(a, marks.a)).toEqual(['sum'])
    expect(words(b, marks.b)).toEqual(['add'])
  })

  it('leaves out what would only be noise', () => {
    expect(markWords('alpha beta', '').a).toEqual([])
    expect(markWords('alpha beta gamma', '0123456789').a).toEqual([])
    const long = 'x '.repeat(longestMarked)
    expect(markWords(long, `${long}y`).b).toEqual([])
  })

  it('keeps to one line, inside the text, in order, and starts no mark with the indentation', () => {
    const line = fc.array(fc.constantFrom('a', 'bc', ' ', '  ', 'x1', '\n', '(', '日'), { maxLength: 40 })
    fc.assert(
      fc.property(line, line, (one, other) => {
        const [a, b] = [one.join(''), other.join('')]
        const marks = markWords(a, b)
        for (const [text, spans] of [
          [a, marks.a],
          [b, marks.b],
        ] as const) {
          let free = 0
          for (const { from, to } of spans) {
            expect(from).toBeGreaterThanOrEqual(free)
            expect(to).toBeGreaterThan(from)
            expect(to).toBeLessThanOrEqual(text.length)
            const marked = text.slice(from, to)
            expect(marked).not.toContain('\n')
            if (marked.trim() !== '') expect(marked.trim()).toBe(marked)
            free = to
          }
        }
      }),
    )
  })
})

it('tells changes of white space from others', () => {
  expect(differInSpaceOnly('a( b )\n', '  a(b)\n\n')).toBe(true)
  expect(differInSpaceOnly('a b', 'a c')).toBe(false)
})
