import { expect, test } from 'vitest'
import { dropOldest } from './drop-oldest'

test('what was put in first goes first, down to as many as may stay', () => {
  const map = new Map([
    ['a', 1],
    ['b', 2],
    ['c', 3],
  ])
  dropOldest(map, 3)
  expect([...map.keys()]).toEqual(['a', 'b', 'c'])
  map.delete('a')
  map.set('a', 4)
  dropOldest(map, 2)
  expect([...map]).toEqual([
    ['c', 3],
    ['a', 4],
  ])
  const set = new Set([1, 2, 3, 4])
  dropOldest(set, 1)
  expect([...set]).toEqual([4])
  dropOldest(set, 0)
  expect(set.size).toBe(0)
})
