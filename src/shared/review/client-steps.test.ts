import fc from 'fast-check'
import { expect, it } from 'vitest'
import { countSteps } from './client-steps'

it('counts each client’s steps exactly, as long as it is among the latest sixteen', () => {
  const sent = fc.array(fc.record({ client: fc.nat(20).map(String), steps: fc.integer({ min: 1, max: 9 }) }))
  fc.assert(
    fc.property(sent, (list) => {
      let counted: ReadonlyMap<string, number> = new Map()
      const exact = new Map<string, number>()
      for (const { client, steps } of list) {
        exact.set(client, (counted.has(client) ? (exact.get(client) ?? 0) : 0) + steps)
        counted = countSteps(counted, client, steps)
        expect(counted.size).toBeLessThanOrEqual(16)
        expect(counted.get(client)).toBe(exact.get(client))
      }
      for (const [client, steps] of counted) expect(steps).toBe(exact.get(client))
    }),
  )
})
