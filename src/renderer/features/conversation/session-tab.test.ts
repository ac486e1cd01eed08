import { describe, expect, it } from 'vitest'
import type { SessionSummary } from '../../../shared/contract/sessions'
import { readPlace, sendingOf } from './session-tab'

describe('a place that an agent names', () => {
  it('counts from the session’s folder unless it is whole', () => {
    expect(readPlace('src/a.ts:12', '/p')).toEqual({ path: '/p/src/a.ts', line: 12 })
    expect(readPlace('./a b.ts', '/p')).toEqual({ path: '/p/a b.ts', line: null })
    expect(readPlace('/etc/hosts:3:7', '/p')).toEqual({ path: '/etc/hosts', line: 3 })
    expect(readPlace('C:\\x\\a.ts:4-9', '/p')).toEqual({ path: 'C:\\x\\a.ts', line: 4 })
    expect(readPlace('a.ts:0', null)).toEqual({ path: 'a.ts', line: 1 })
  })
})

describe('who can be typed to', () => {
  const summary = (of: Partial<SessionSummary>) =>
    ({ state: 'idle', terminal: 't1', ...of }) as SessionSummary
  it('is an agent in a terminal of the app, or one that a message may bring back', () => {
    const here = { isGone: false }
    expect(sendingOf(here, summary({})).kind).toBe('ready')
    expect(sendingOf(here, summary({ state: 'none', terminal: null })).kind).toBe('ready')
    expect(sendingOf(here, summary({ state: 'working' })).kind).toBe('ready')
    expect(sendingOf(here, summary({ state: 'asking' })).kind).toBe('read-only')
    expect(sendingOf(here, summary({ terminal: null })).kind).toBe('read-only')
    expect(sendingOf({ isGone: true }, summary({})).kind).toBe('read-only')
  })
})
