import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { findStretch } from './text-stretch'

const text = 'one two\r\nthree four\nfive two six\n'

describe('finding a stretch of text', () => {
  it('selects the first start text', () => {
    expect(findStretch(text, { startText: 'two' })).toEqual({
      start: { line: 0, character: 4 },
      end: { line: 0, character: 7 },
    })
  })

  it('goes on to the end text, which it includes', () => {
    expect(findStretch(text, { startText: 'three', endText: 'two' })).toEqual({
      start: { line: 1, character: 0 },
      end: { line: 2, character: 8 },
    })
  })

  it('stays with the start text where the end text is missing or lies before it', () => {
    const alone = { start: { line: 2, character: 0 }, end: { line: 2, character: 4 } }
    expect(findStretch(text, { startText: 'five', endText: 'nowhere' })).toEqual(alone)
    expect(findStretch(text, { startText: 'five', endText: 'three' })).toEqual(alone)
    expect(findStretch(text, { startText: 'five', endText: '' })).toEqual(alone)
  })

  it('goes to the end of the line, but not into its end', () => {
    expect(findStretch(text, { startText: 'two', toEndOfLine: true })?.end).toEqual({ line: 0, character: 7 })
    expect(findStretch(text, { startText: 'one', toEndOfLine: true })?.end).toEqual({ line: 0, character: 7 })
    expect(findStretch(text, { startText: 'five', endText: 'two', toEndOfLine: true })?.end).toEqual({
      line: 2,
      character: 12,
    })
    expect(findStretch('abc', { startText: 'b', toEndOfLine: true })?.end).toEqual({ line: 0, character: 3 })
  })

  it('finds nothing where the start text is not', () => {
    expect(findStretch(text, { startText: 'seven' })).toBeUndefined()
    expect(findStretch(text, { startText: '' })).toBeUndefined()
  })

  it.each([
    ['CRLF where the text has it', 'one two\r\nthree'],
    ['LF where the text has CRLF', 'one two\nthree'],
  ])('finds several lines named with %s', (_name, startText) => {
    const found = { start: { line: 0, character: 0 }, end: { line: 1, character: 5 } }
    expect(findStretch(text, { startText })).toEqual(found)
    expect(findStretch(text.replaceAll('\r\n', '\n'), { startText })).toEqual(found)
    expect(findStretch(text, { startText: 'one', endText: startText.slice(4) })).toEqual(found)
  })

  it('covers exactly the text that was searched for', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: fc.constantFrom('a', 'b', '\n', '\r\n', 'ä', '😀') }),
        fc.nat(),
        fc.nat(),
        (all, a, b) => {
          const from = a % (all.length + 1)
          const wanted = all.slice(from, from + 1 + (b % 5))
          const found = findStretch(all, { startText: wanted })
          if (wanted === '') {
            expect(found).toBeUndefined()
            return
          }
          const offset = ({ line, character }: { line: number; character: number }) =>
            all
              .split('\n')
              .slice(0, line)
              .reduce((sum, part) => sum + part.length + 1, 0) + character
          expect(found).toBeDefined()
          if (found) expect(all.slice(offset(found.start), offset(found.end))).toBe(wanted)
        },
      ),
    )
  })
})
