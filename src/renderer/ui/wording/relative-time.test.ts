import { describe, expect, it } from 'vitest'
import { exactTime, relativeTime, untilNextReading } from './relative-time'

const now = Date.UTC(2026, 10, 21, 12, 0, 0)
const minute = 60_000

describe('relativeTime', () => {
  it.each([
    [0, 'just now'],
    [44_999, 'just now'],
    [45_000, '1 min ago'],
    [2 * minute, '2 min ago'],
    [59 * minute, '59 min ago'],
    [59.6 * minute, '1 h ago'],
    [23 * 60 * minute, '23 h ago'],
    [23.6 * 60 * minute, 'yesterday'],
    [2 * 24 * 60 * minute, '2 days ago'],
    [6 * 24 * 60 * minute, '6 days ago'],
  ])('reads an age of %d ms as "%s"', (age, words) => {
    expect(relativeTime(now - age, now)).toBe(words)
  })

  it('gives the date from a week on', () => {
    expect(relativeTime(now - 8 * 24 * 60 * minute, now)).toBe('Nov 13, 2026')
  })

  it('takes a clock that is ahead for now', () => {
    expect(relativeTime(now + 5 * minute, now)).toBe('just now')
  })

  it('asks to be read again soon enough to change', () => {
    for (let age = 0; age < 3 * 60 * minute; age += 7_000) {
      const wait = untilNextReading(now - age, now)
      expect(wait).toBeGreaterThan(0)
      // Within the first hour, no reading may stand for longer than half a minute too long.
      if (age > 45_000 && age < 60 * minute) expect(wait).toBeLessThanOrEqual(minute / 2)
    }
  })

  it('tells the exact time with seconds', () => {
    expect(exactTime(now)).toMatch(/2026.*:00:00/)
  })
})
