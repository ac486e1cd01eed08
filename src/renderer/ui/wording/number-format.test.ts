import { expect, it } from 'vitest'
import { countOf, formatNumber, formatSize } from './number-format'

it.each([
  [0, '0'],
  [999, '999'],
  [1000, '1\u202f000'],
  [1234567, '1\u202f234\u202f567'],
  [-1200, '\u22121\u202f200'],
])('separates %d with thin spaces', (value, text) => {
  expect(formatNumber(value)).toBe(text)
})

it.each([
  [12, '12 bytes'],
  [1500, '1.5 kB'],
  [999_900, '1.0 MB'],
  [20_000_000, '20 MB'],
])('tells %d bytes in a fitting unit', (bytes, text) => {
  expect(formatSize(bytes)).toBe(text)
})

it('counts one and many', () => {
  expect(countOf(1, 'change')).toBe('1 change')
  expect(countOf(2, 'change')).toBe('2 changes')
  expect(countOf(0, 'reply', 'replies')).toBe('0 replies')
})
