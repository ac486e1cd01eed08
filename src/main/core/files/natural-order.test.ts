import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { compareNames, firstInOrder, sortInSlices } from './natural-order'

describe('compareNames', () => {
  it('counts, and passes over case and accents', () => {
    const names = ['_x', '.hidden', '9a', 'a', 'B', 'éclair', 'file2', 'file10', 'file10b', 'Zebra']
    expect(names.toReversed().sort(compareNames)).toEqual(names)
    expect(['file7', 'file8', 'file007'].sort(compareNames)).toEqual(['file007', 'file7', 'file8'])
    expect(['b', 'Á', 'a'].sort(compareNames)).toEqual(['a', 'Á', 'b'])
  })

  it('has numbers in their order, however long', () => {
    fc.assert(
      fc.property(
        fc.bigInt({ min: 0n, max: 10n ** 40n }),
        fc.bigInt({ min: 0n, max: 10n ** 40n }),
        (one, other) => {
          expect(compareNames(`v${one}`, `v${other}`) < 0).toBe(one < other)
        },
      ),
    )
  })

  it('is one order for all names, and 0 only for the same', () => {
    const name = fc.string({ unit: fc.constantFrom('a', 'A', 'ä', '1', '0', '_', '.', ' '), maxLength: 6 })
    fc.assert(
      fc.property(name, name, name, (one, other, third) => {
        expect(Math.sign(compareNames(one, other))).toBe(0 - Math.sign(compareNames(other, one)))
        expect(compareNames(one, other) === 0).toBe(one === other)
        const [least = '', , most = ''] = [one, other, third].sort(compareNames)
        expect(compareNames(least, most)).toBeLessThanOrEqual(0)
      }),
    )
  })
})

describe('sortInSlices', () => {
  it('sorts as sort does, stably, and pauses meanwhile', async () => {
    const items = Array.from({ length: 20_001 }, (_, index) => ({ key: (index * 7919) % 977, index }))
    let pauses = 0
    const compare = (one: { key: number }, other: { key: number }) => one.key - other.key
    const result = await sortInSlices(items, compare, () => Promise.resolve((pauses += 1)))
    expect(result).toEqual(items.toSorted(compare))
    expect(pauses).toBeGreaterThan(8)
  })

  it('takes nothing, one, and any small number without a pause', async () => {
    const compare = (one: number, other: number) => one - other
    await fc.assert(
      fc.asyncProperty(fc.array(fc.integer()), async (numbers) => {
        const never = () => Promise.reject(new Error('paused'))
        expect(await sortInSlices(numbers, compare, never)).toEqual(numbers.toSorted(compare))
      }),
    )
  })
})

describe('firstInOrder', () => {
  const compare = (one: number, other: number) => one - other

  it('gives what sorting would put first', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.integer()), fc.integer({ min: 1, max: 20 }), async (numbers, count) => {
        const first = await firstInOrder(numbers, count, compare, () => Promise.resolve())
        expect(first).toEqual(numbers.toSorted(compare).slice(0, count))
      }),
    )
  })

  it('pauses, and compares far less than sorting does', async () => {
    const items = Array.from({ length: 20_001 }, (_, index) => (index * 7919) % 20_011)
    let [pauses, comparisons] = [0, 0]
    const counted = (one: number, other: number) => {
      comparisons += 1
      return compare(one, other)
    }
    const first = await firstInOrder(items, 500, counted, () => Promise.resolve((pauses += 1)))
    expect(first).toEqual(items.toSorted(compare).slice(0, 500))
    expect(pauses).toBe(4)
    expect(comparisons).toBeLessThan(4 * items.length)
  })
})
