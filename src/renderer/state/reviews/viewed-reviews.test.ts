import { expect, test } from 'vitest'
import { isViewed, mostMarks, parseMarks, withMark } from './viewed-reviews'

const review = (id: string) => ({ id, askedAt: 1, isStale: false })
const [one, two] = [review('one'), review('two')]

test('a viewed mark holds for one review as it is, until it is taken back', () => {
  const marks = withMark({}, one, true, [one, two])
  expect([isViewed(marks, one), isViewed(marks, two)]).toEqual([true, false])
  expect(isViewed(withMark(marks, one, false, [one, two]), one)).toBe(false)
})

test('a viewed mark ends when the agent asks anew or the file changes below', () => {
  const marks = withMark({}, one, true, [one])
  expect(isViewed(marks, { ...one, isStale: true })).toBe(false)
  expect(isViewed(marks, { ...one, askedAt: 2 })).toBe(false)
  expect(isViewed(marks, one)).toBe(true)
})

test('marks of reviews that are over are dropped with the next one', () => {
  const marks = withMark({}, one, true, [one, two])
  expect(Object.keys(withMark(marks, two, true, [two]))).toEqual(['two'])
})

test('what was stored is taken as far as it is sound, and never without end', () => {
  expect(parseMarks(undefined)).toEqual({})
  expect(parseMarks('viewed')).toEqual({})
  expect(parseMarks({ one: '1 fresh', two: 2 })).toEqual({ one: '1 fresh' })
  const many = Object.fromEntries(Array.from({ length: mostMarks + 5 }, (_, i) => [`r${i}`, '1 fresh']))
  expect(Object.keys(parseMarks(many))).toHaveLength(mostMarks)
})
