import fc from 'fast-check'
import { expect, test } from 'vitest'
import { excerptOf, hasAllWords, readQuery } from './session-query'

const query = (typed: string) => {
  const read = readQuery(typed)
  if (!read) throw new Error('nothing is asked')
  return read
}

test('words may stand in any order and case, and those in quotes in a row', () => {
  expect(hasAllWords('The lamp of the GREENHOUSE', query('greenhouse LAMP'))).toBe(true)
  expect(hasAllWords('The lamp of the GREENHOUSE', query('greenhouse heating'))).toBe(false)
  expect(hasAllWords('the\n lamp', query('"the lamp"'))).toBe(true)
  expect(hasAllWords('lamp the', query('"the lamp'))).toBe(false)
  expect(hasAllWords('a.b(c)', query('a.b(c)'))).toBe(true)
  expect(hasAllWords('axb(c)', query('a.b(c)'))).toBe(false)
  for (const nothing of ['', '  ', '"', '""  ""']) expect(readQuery(nothing)).toBeNull()
})

test('an excerpt begins with a word a little before the first place, on one line', () => {
  const text = `${'before '.repeat(30)}the\nlamp${' after'.repeat(100)}`
  const cut = excerptOf(text, query('lamp'))
  expect(cut?.text).toMatch(/^…before (before )+the lamp( after)+.*…$/)
  expect(cut?.marks.map(({ from, to }) => cut.text.slice(from, to))).toEqual(['lamp'])
  expect(excerptOf(text, query('lamp nothing'))).toBeNull()
})

test('whatever the text, the marks stand on words that were looked for, one after another', () => {
  const letters = fc.string({
    unit: fc.constantFrom('a', 'b', 'É', 'ß', '😀', ' ', '\n', '"', '.'),
    maxLength: 600,
  })
  fc.assert(
    fc.property(
      letters,
      fc.string({ unit: fc.constantFrom('a', 'b', 'é', '😀', ' ', '"'), maxLength: 6 }),
      (text, typed) => {
        const read = readQuery(typed)
        if (!read) return
        const cut = excerptOf(text, read)
        expect(cut !== null).toBe(hasAllWords(text, read))
        if (!cut) return
        expect(cut.text).not.toMatch(/\p{Surrogate}/u)
        expect(cut.text).not.toMatch(/\n/)
        let at = 0
        for (const { from, to } of cut.marks) {
          expect(from).toBeGreaterThanOrEqual(at)
          expect(to).toBeGreaterThan(from)
          at = to
        }
        expect(cut.marks.length).toBeGreaterThan(0)
        expect(at).toBeLessThanOrEqual(cut.text.length)
      },
    ),
  )
})
