import fc from 'fast-check'
import { expect, test } from 'vitest'
import { Typing } from '../../../shared/typing'
import { PageWindow } from './page-window'

/**
 * A program that puts out as much as it may, and a page that parses so many characters in a millisecond and needs so
 * many milliseconds to hear and to answer. Gives what was parsed and how long it was under way, in the last seconds.
 */
function flood(speed: number, latency: number, seconds: number) {
  let now = 0
  const window = new PageWindow(new Typing(() => now), () => now)
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
        const window = new PageWindow(new Typing(() => now), () => now)
        for (const { give, back, ms } of steps) {
          window.give(give)
          now += ms
          window.acknowledge(back)
          expect(window.size).toBeGreaterThanOrEqual(64 << 10)
          expect(window.size).toBeLessThanOrEqual(512 << 10)
        }
        window.acknowledge(Number.MAX_SAFE_INTEGER)
        expect(window.exhausted).toBe(false)
        window.give(513 << 10)
        expect(window.exhausted).toBe(true)
      },
    ),
  )
})

/** A window with a clock, a keyboard, and a program that has as much to say as it may. */
function openWindow() {
  const clock = { now: 0 }
  const typing = new Typing(() => clock.now)
  const window = new PageWindow(typing, () => clock.now)
  return {
    clock,
    window,
    press(key: string) {
      typing.press(key)
      window.press()
    },
    fill() {
      const before = window.outstanding
      while (!window.exhausted) window.give(1000)
      return window.outstanding - before
    },
  }
}

test('while somebody types into a flood its output comes after each key press, and a little now and then', () => {
  const { clock, window, press, fill } = openWindow()
  for (let count = 0; count < 5; count++) {
    expect(fill()).toBeGreaterThan(60_000)
    window.acknowledge(window.outstanding / 2)
  }
  fill()
  expect(window.refreshIn).toBeNull()
  expect(window.ahead).toBe(0)
  press('a')
  expect(window.ahead).toBe(32 << 10)
  expect(fill()).toBe(33_000)
  expect(window.ahead).toBe(0)
  window.acknowledge(window.outstanding - 20_000)
  expect(window.exhausted).toBe(true)
  const pauses: number[] = []
  for (let count = 0; count < 7; count++) {
    const pause = window.refreshIn ?? Number.NaN
    pauses.push(pause)
    clock.now += pause
    window.refresh()
    expect(fill()).toBe(25_000)
    // Nothing comes to a page that is behind.
    window.refresh()
    expect(window.exhausted).toBe(true)
    window.acknowledge(window.outstanding)
  }
  expect(pauses).toEqual([2, 2, 4, 8, 16, 32, 50])
  clock.now += 500
  expect(window.refreshIn).toBeNull()
  expect(fill()).toBeGreaterThan(60_000)
})

test("a program's picture comes whole after a key press, and a flood that has paused is none any more", () => {
  const { clock, window, press } = openWindow()
  for (let count = 0; count < 20; count++) {
    clock.now += 50
    press('j')
    for (let part = 0; part < 25; part++) {
      expect(window.exhausted).toBe(false)
      window.give(8_000)
      clock.now += 1
      window.acknowledge(8_000)
    }
    expect(window.refreshIn).toBeNull()
  }
  for (let part = 0; part < 40; part++) {
    window.give(8_000)
    window.acknowledge(8_000)
  }
  expect(window.exhausted).toBe(true)
  clock.now += window.refreshIn ?? Number.NaN
  window.refresh()
  window.give(1_000)
  expect(window.refreshIn).not.toBeNull()
  // What it might have put out by now it did not.
  clock.now += 21
  window.give(1_000)
  expect(window.refreshIn).toBeNull()
  expect(window.exhausted).toBe(false)
})

test('however much is typed, what is under way has a bound, and all that is acknowledged opens the window again', () => {
  fc.assert(
    fc.property(
      fc.array(
        fc.record({
          key: fc.constantFrom('a', '\r', ''),
          give: fc.integer({ min: 1, max: 70_000 }),
          back: fc.integer({ min: 0, max: 70_000 }),
          ms: fc.constantFrom(0, 1, 10, 60, 400),
        }),
        { maxLength: 200 },
      ),
      (steps) => {
        let now = 0
        const typing = new Typing(() => now)
        const window = new PageWindow(typing, () => now)
        for (const { key, give, back, ms } of steps) {
          now += ms
          if (key !== '') {
            typing.press(key)
            window.press()
          }
          if (!window.exhausted) window.give(give)
          expect(window.outstanding).toBeLessThanOrEqual((512 << 10) + 70_000)
          window.acknowledge(back)
        }
        // A page keeps up to 8 KB to itself.
        window.acknowledge(window.outstanding - 8191)
        if (window.exhausted) now += window.refreshIn ?? Number.NaN
        window.refresh()
        expect(window.exhausted).toBe(false)
      },
    ),
  )
})
