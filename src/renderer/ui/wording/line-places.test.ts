import { expect, test } from 'vitest'
import { describePlaceIn } from './line-places'

const place = (line: number, character = 0) => ({ line, character })

test('places are counted from 1, and a line of which nothing is selected does not count', () => {
  expect(describePlaceIn({ start: place(2, 6), end: place(2, 6) })).toBe('line 3, column 7')
  expect(describePlaceIn({ start: place(2), end: place(2, 4) })).toBe('line 3')
  expect(describePlaceIn({ start: place(2), end: place(6) })).toBe('lines 3–6')
  expect(describePlaceIn({ start: place(2), end: place(3) })).toBe('line 3')
})
