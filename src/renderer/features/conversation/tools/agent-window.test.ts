import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  type AgentWindow,
  atTheEnd,
  earlierWindow,
  firstShown,
  laterWindow,
  mostShown,
  placeOfWindow,
  windowAround,
} from './agent-window'

const idsOf = (count: number) => Array.from({ length: count }, (_, at) => `i${at}`)

test('one goes through a long sub-agent both ways, and no more than so much is ever shown', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 900 }),
      fc.array(fc.constantFrom('earlier', 'later', 'grow', 'page'), { maxLength: 40 }),
      (count, steps) => {
        let ids = idsOf(count)
        let window: AgentWindow = atTheEnd
        for (const step of steps) {
          const before = placeOfWindow(ids, window)
          if (step === 'earlier') {
            window = earlierWindow(ids, window)
            const now = placeOfWindow(ids, window)
            // Nothing is passed over on the way.
            expect(now.from < before.from || before.from === 0).toBe(true)
            expect(now.to).toBeGreaterThanOrEqual(before.from)
          } else if (step === 'later') {
            window = laterWindow(ids, window)
            const now = placeOfWindow(ids, window)
            expect(now.to > before.to || before.to === ids.length).toBe(true)
            expect(now.from).toBeLessThanOrEqual(before.to)
          } else if (step === 'grow') ids = [...ids, `n${ids.length}`]
          else ids = [...idsOf(30).map((id) => `p${ids.length}-${id}`), ...ids]
          const { from, to } = placeOfWindow(ids, window)
          expect(to - from).toBeLessThanOrEqual(mostShown)
          expect(to - from).toBeGreaterThan(0)
        }
      },
    ),
  )
})

test('the end is followed until one goes back, and what one reads stays when more comes', () => {
  let ids = idsOf(1000)
  expect(placeOfWindow(ids, atTheEnd)).toEqual({ from: 1000 - firstShown, to: 1000 })
  ids = idsOf(1001)
  expect(placeOfWindow(ids, atTheEnd).to).toBe(1001)
  let window = atTheEnd
  for (let press = 0; press < 10; press++) window = earlierWindow(ids, window)
  const read = placeOfWindow(ids, window)
  expect(read.to).toBeLessThan(1001)
  expect(placeOfWindow(idsOf(1500), window)).toEqual(read)
})

test('an item that was found stands in its window, wherever it is', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 500 }), fc.nat(), (count, pick) => {
      const ids = idsOf(count)
      const at = pick % count
      const { from, to } = placeOfWindow(ids, windowAround(ids, `i${at}`))
      expect(from <= at && at < to).toBe(true)
    }),
  )
})
