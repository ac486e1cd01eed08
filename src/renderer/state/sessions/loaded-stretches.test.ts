import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  gapsIn,
  isLoaded,
  type LoadedStretches,
  loadedFrom,
  nextLoaded,
  withStretch,
} from './loaded-stretches'

test('what is here is what was read, whatever the order, and gaps are what is between', () => {
  const piece = fc.record({ from: fc.nat(200), length: fc.integer({ min: 1, max: 40 }) })
  fc.assert(
    fc.property(fc.integer({ min: 50, max: 200 }), fc.array(piece, { maxLength: 12 }), (end, pieces) => {
      const here = new Set<number>()
      for (let at = end; at < 300; at++) here.add(at)
      let loaded: LoadedStretches = loadedFrom(end)
      for (const { from, length } of pieces) {
        for (let at = from; at < from + length; at++) here.add(at)
        loaded = withStretch(loaded, { from, to: from + length })
      }
      for (let at = 0; at < 300; at++) expect(isLoaded(loaded, at)).toBe(here.has(at))
      const first = Math.min(...here)
      const missing = new Set<number>()
      for (const { after, before } of gapsIn(loaded)) {
        expect(after).toBeLessThan(before)
        expect(nextLoaded(loaded, after)).toBe(before)
        for (let at = after; at < before; at++) missing.add(at)
      }
      for (let at = first; at < 300; at++) expect(missing.has(at)).toBe(!here.has(at))
    }),
  )
})
