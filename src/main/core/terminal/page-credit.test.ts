import fc from 'fast-check'
import { expect, test } from 'vitest'
import { PageCredit } from './page-credit'

/**
 * A program that puts out as much as it may, and a page that parses so many characters in a millisecond and needs so
 * many milliseconds to hear and to answer. Gives what was parsed and how long it was under way, in the last seconds.
 */
function flood(speed: number, latency: number, seconds: number) {
  let now = 0
  const window = new PageCredit(() => now)
  const onWay: { length: number; at: number; free: number }[] = []
  const acknowledgements: { length: number; at: number }[] = []
  const delays: number[] = []
  let parsed = 0
  let free = 0
  for (; now < seconds * 1000; now++) {
    while (acknowledgements[0] && acknowledgements[0].at <= now) {
      window.acknowledge(acknowledgements.shift()?.length ?? 0)
    }
    for (let count = 0; count < 8 && !window.exhausted; count++) {
      const length = 8_000
      window.give(length)
      free = Math.max(free, now + latency) + length / speed
      onWay.push({ length, at: now, free })
    }
    while (onWay[0] && onWay[0].free <= now) {
      const piece = onWay.shift()
      if (!piece) break
      acknowledgements.push({ length: piece.length, at: now + latency })
      if (now < (seconds - 2) * 1000) continue
      parsed += piece.length
      delays.push(now - piece.at)
    }
  }
  return { window, rate: parsed / 2000, delay: Math.max(...delays) }
}

test('a page gets nearly all that it can parse, and output is not under way for long', () => {
  fc.assert(
    fc.property(fc.integer({ min: 500, max: 50_000 }), fc.integer({ min: 1, max: 4 }), (speed, latency) => {
      const { rate, delay } = flood(speed, latency, 6)
      expect(rate).toBeGreaterThan(speed * 0.8)
      // A slow page has the smallest window under way at most.
      expect(delay).toBeLessThan(Math.max(50, (1.3 * (64 << 10)) / speed + 2 * latency))
    }),
    { numRuns: 40 },
  )
})

test('whatever is acknowledged when, the window stays within its bounds and opens again', () => {
  fc.assert(
    fc.property(
      fc.array(
        fc.record({
          give: fc.integer({ min: 0, max: 600_000 }),
          back: fc.integer({ min: 0, max: 900_000 }),
          ms: fc.integer({ min: 0, max: 5000 }),
        }),
        { maxLength: 60 },
      ),
      (steps) => {
        let now = 0
        const window = new PageCredit(() => now)
        for (const { give, back, ms } of steps) {
          window.give(give)
          now += ms
          window.acknowledge(back)
          expect(window.size).toBeGreaterThanOrEqual(64 << 10)
          expect(window.size).toBeLessThanOrEqual(1 << 20)
        }
        window.acknowledge(Number.MAX_SAFE_INTEGER)
        expect(window.exhausted).toBe(false)
        window.give((1 << 20) + 1)
        expect(window.exhausted).toBe(true)
      },
    ),
  )
})
