import { describe, expect, it } from 'vitest'
import type { SessionSummary } from '../../../../shared/contract/sessions'
import { readLink, readPlace } from './folder-places'
import { sendingOf } from './session-tab'

describe('a place that an agent names', () => {
  it('counts from the session’s folder unless it is whole', () => {
    expect(readPlace('src/a.ts:12', '/p')).toEqual({ path: '/p/src/a.ts', line: 12 })
    expect(readPlace('./a b.ts', '/p')).toEqual({ path: '/p/a b.ts', line: null })
    expect(readPlace('/etc/hosts:3:7', '/p')).toEqual({ path: '/etc/hosts', line: 3 })
    expect(readPlace('C:\\x\\a.ts:4-9', '/p')).toEqual({ path: 'C:\\x\\a.ts', line: 4 })
    expect(readPlace('a.ts:0', null)).toEqual({ path: 'a.ts', line: 1 })
  })
})

describe('a link in a message', () => {
  it('leads to the web, to a file from the session’s folder, or nowhere', () => {
    expect(readLink('https://a.example', '/p')).toEqual({ kind: 'web', url: 'https://a.example/' })
    expect(readLink('docs/x.md', '/p')).toEqual({ kind: 'file', path: '/p/docs/x.md' })
    expect(readLink('/etc/hosts', null)).toEqual({ kind: 'file', path: '/etc/hosts' })
    expect(readLink('docs/x.md', null)).toEqual({ kind: 'none' })
    expect(readLink('javascript:alert(1)', '/p')).toEqual({ kind: 'none' })
  })
})

describe('who can be typed to', () => {
  const summary = (of: Partial<SessionSummary>) =>
    ({ state: 'idle', terminal: 't1', ...of }) as SessionSummary
  it('is an agent in a terminal of the app, or one that a message may bring back', () => {
    const sending = (of: Partial<SessionSummary>, mayResume = true, isGone = false) =>
      sendingOf({ isGone }, summary(of), mayResume)
    expect(sending({})).toEqual({ kind: 'ready' })
    expect(sending({ state: 'working' })).toEqual({ kind: 'ready' })
    const none = { state: 'none', terminal: null } as const
    expect(sending(none)).toEqual({ kind: 'ready', resumes: true })
    expect(sending(none, false)).toMatchObject({ kind: 'read-only', canResume: true })
    expect(sending({ state: 'asking' })).toMatchObject({ kind: 'read-only', canResume: false })
    const asked = [{ id: 'r1', path: '/p/a.ts', name: 'a.ts' }]
    expect(sendingOf({ isGone: false }, summary({ state: 'asking' }), true, asked)).toEqual({
      kind: 'read-only',
      reason: 'Claude is waiting for your review of a.ts.',
      canResume: false,
      review: 'r1',
    })
    expect(sending({ terminal: null })).toMatchObject({ kind: 'read-only', canResume: true })
    expect(sending({ terminal: null, isDriven: true })).toEqual({
      kind: 'read-only',
      reason: 'This session is in a conversation here. Write there.',
      canResume: false,
      isDriven: true,
    })
    expect(sending({}, true, true)).toMatchObject({ kind: 'read-only', canResume: false })
  })
})
