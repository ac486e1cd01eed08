import { expect, test } from 'vitest'
import { guessHeight, isLong, sumOf } from './card-facts'

test('two reviews of one file are one file, with the lines of both', () => {
  const lines = { addedLines: 3, removedLines: 1 }
  const sum = sumOf([
    { path: '/a', ...lines },
    { path: '/a', ...lines },
    { path: '/b', ...lines },
  ])
  expect(sum).toEqual({ files: 2, added: 9, removed: 3 })
})

test('a card of thousands of lines is not drawn unasked', () => {
  expect(isLong({ addedLines: 1000, removedLines: 1000 })).toBe(false)
  expect(isLong({ addedLines: 1001, removedLines: 1000 })).toBe(true)
})

test('the guess at a height grows with the lines, up to some screens', () => {
  const small = guessHeight({ addedLines: 1, removedLines: 1, changes: 1 })
  const larger = guessHeight({ addedLines: 20, removedLines: 1, changes: 2 })
  expect(larger).toBeGreaterThan(small)
  expect(guessHeight({ addedLines: 1_000_000, removedLines: 0, changes: 9 })).toBeLessThan(5000)
})
