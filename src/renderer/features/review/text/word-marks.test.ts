import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { canMarkWords, differInSpaceOnly, markWords } from './word-marks'

const words = (text: string, spans: readonly { from: number; to: number }[]) =>
  spans.map(({ from, to }) => text.slice(from, to))

describe('markWords', () => {
  it('marks the words that differ', () => {
    const [a, b] = ['const total = sum(lines)', 'const total = add(lines)']
    const marks = markWords(a, b)
    expect(words(a, marks.a)).toEqual(['sum'])
    expect(words(b, marks.b)).toEqual(['add'])
  })

  it('says what white space it is that differs, which would look alike', () => {
    const signsOf = (a: string, b: string) => {
      const marks = markWords(a, b)
      return [marks.a.map(({ sign }) => sign), marks.b.map(({ sign }) => sign)]
    }
    expect(signsOf('\tb', '    b')).toEqual([['→'], ['····']])
    expect(signsOf('b', 'b ')).toEqual([[], ['·']])
    expect(signsOf('x y', 'x\u00a0y')).toEqual([['·'], ['⍽']])
    expect(markWords('', '  \t').b).toEqual([
      { from: 0, to: 2, sign: '··' },
      { from: 2, to: 3, sign: '→' },
    ])
    expect(markWords('sum(a)', 'add(a)').b.map(({ sign }) => sign)).toEqual([undefined])
  })

  it('leaves out what would only be noise', () => {
    expect(markWords('alpha beta', '').a).toEqual([])
    expect(markWords('alpha beta gamma', '0123456789').a).toEqual([])
  })

  it('marks what differs in long lines, wherever it stands', () => {
    const part = (from: number) => Array.from({ length: 3000 }, (_, i) => `f${from + i}(a,b);`).join('')
    const [a, b] = [`${part(0)}sum(1);${part(5000)}`, `${part(0)}add(1);${part(5000)}`]
    expect(words(a, markWords(a, b).a)).toEqual(['sum'])
    expect(words(b, markWords(a, b).b)).toEqual(['add'])
    // Two places far from each other, and so much between the first and the last that words are no longer looked for.
    const twice = markWords(`old ${a}`, `new ${b}`)
    expect(words(`old ${a}`, twice.a)).toEqual(['old', 'sum'])
    expect(words(`new ${b}`, twice.b)).toEqual(['new', 'add'])
    const [huge, same] = [part(0).repeat(8), part(9000).repeat(8)]
    expect(markWords(`${same}old ${huge} old`, `${same}new ${huge} new`).b).toEqual([
      { from: same.length, to: same.length + huge.length + 8 },
    ])
  })

  it('has none for a change of very many lines', () => {
    const lines = (count: number, length: number) => ({ from: 0, to: count * length, first: 1, count })
    expect(canMarkWords(lines(1, 100_000), lines(1, 90_000))).toBe(true)
    expect(canMarkWords(lines(200, 21), lines(1, 10))).toBe(false)
    expect(canMarkWords(lines(200, 20), lines(1, 10))).toBe(true)
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
