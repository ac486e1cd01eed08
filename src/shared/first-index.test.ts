import fc from 'fast-check'
import { expect, test } from 'vitest'
import { firstIndex } from './first-index'

test('finds what a search from the beginning finds', () => {
  fc.assert(
    fc.property(fc.array(fc.nat(50)), fc.nat(60), (numbers, wanted) => {
      const sorted = numbers.sort((one, other) => one - other)
      const found = sorted.findIndex((number) => number >= wanted)
      const at = firstIndex(sorted.length, (index) => (sorted[index] ?? 0) >= wanted)
      expect(at).toBe(found < 0 ? sorted.length : found)
    }),
  )
})
