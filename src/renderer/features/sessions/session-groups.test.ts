import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { SessionSummary } from '../../../shared/contract/sessions'
import { dayLabel, filterSessions, groupSessions } from './session-groups'

const noon = new Date(2026, 10, 20, 12).getTime()
const hour = 3_600_000

function session(of: Partial<SessionSummary> & { id: string }): SessionSummary {
  return {
    title: of.id,
    titleBy: 'nobody',
    firstPrompt: null,
    folder: '/work/app',
    branch: null,
    lastAt: noon,
    bytes: 1,
    state: 'none',
    terminal: null,
    isDriven: false,
    messages: null,
    tokens: null,
    costUSD: null,
    forks: null,
    isHidden: false,
    ...of,
  }
}

describe('groups of sessions', () => {
  it('are the window’s folders first, then the others by their latest activity', () => {
    const sessions = [
      session({ id: 'old', folder: '/work/app', lastAt: noon - 90 * hour }),
      session({ id: 'new', folder: '/elsewhere', lastAt: noon }),
      session({ id: 'older', folder: '/another', lastAt: noon - hour }),
      session({ id: 'inside', folder: '/work/app/packages', lastAt: noon - 2 * hour }),
      session({ id: 'beside', folder: '/work/app2', lastAt: noon - 3 * hour }),
    ]
    expect(groupSessions(sessions, ['/work/app'], noon).map(({ folder }) => folder)).toEqual([
      '/work/app/packages',
      '/work/app',
      '/elsewhere',
      '/another',
      '/work/app2',
    ])
  })

  it('name days by the person’s calendar, not by hours', () => {
    expect(dayLabel(noon - 11 * hour, noon)).toBe('Today')
    expect(dayLabel(noon - 13 * hour, noon)).toBe('Yesterday')
    expect(dayLabel(noon - 60 * hour, noon)).toBe('This week')
    expect(dayLabel(noon - 40 * 24 * hour, noon)).toBe('October 2026')
    expect(dayLabel(null, noon)).toBe('Without a time')
  })

  it('hold every session once, the latest first in each', () => {
    const some = fc.array(
      fc.record({
        folder: fc.constantFrom('/a', '/b', null),
        lastAt: fc.option(fc.integer({ min: noon - 1e10, max: noon })),
      }),
      { maxLength: 40 },
    )
    fc.assert(
      fc.property(some, (all) => {
        const sessions = all.map((facts, index) => session({ id: String(index), ...facts }))
        const groups = groupSessions(sessions, ['/b'], noon)
        const shown = groups.flatMap(({ days }) => days.flatMap((day) => day.sessions))
        expect(shown.map(({ id }) => id).sort()).toEqual(sessions.map(({ id }) => id).sort())
        for (const { days, count } of groups) {
          const times = days.flatMap((day) => day.sessions.map(({ lastAt }) => lastAt ?? 0))
          expect(times).toEqual([...times].sort((one, two) => two - one))
          expect(times).toHaveLength(count)
        }
      }),
    )
  })
})

describe('the filter of sessions', () => {
  const sessions = [
    session({ id: 'a', title: 'Fix the Parser', branch: 'main' }),
    session({ id: 'b', title: 'Docs', firstPrompt: 'write about the parser' }),
    session({ id: 'c', title: 'Hidden parser', isHidden: true }),
  ]
  it('wants all words, anywhere, and leaves out what is hidden', () => {
    const ids = (typed: string, withHidden = false) =>
      filterSessions(sessions, typed, withHidden).map(({ id }) => id)
    expect(ids('parser')).toEqual(['a', 'b'])
    expect(ids('PARSER main')).toEqual(['a'])
    expect(ids('', true)).toEqual(['a', 'b', 'c'])
    expect(ids('  ')).toEqual(['a', 'b'])
    expect(ids('nothing')).toEqual([])
  })
})
