import { expect, test } from 'vitest'
import type { Approval } from '../../../shared/approval/approval'
import { approvalInstead } from './waiting-card'

/** In capitals: waiting; else withdrawn. */
const list = (ids: string): Approval[] =>
  ids.split('').map((id) => ({
    ...{ id: id.toLowerCase(), askedAt: 1, problem: null },
    question: null as never,
    state: id === id.toLowerCase() ? { kind: 'withdrawn', reason: 'cancelled', at: 2 } : { kind: 'waiting' },
  }))
const after = (shown: string, before: string, now: string) =>
  approvalInstead(shown, list(before), list(now))?.id ?? null

test('the next one that waits takes the place of one that is withdrawn, from the end on the first', () => {
  expect(after('b', 'ABC', 'AbC')).toBe('c')
  expect(after('b', 'ABc', 'Abc')).toBe('a')
  expect(after('b', 'aBc', 'abc')).toBeNull()
})

test('one that comes takes the place of one that was withdrawn before; what waited already doesn’t', () => {
  expect(after('a', 'a', 'aB')).toBe('b')
  expect(after('a', 'aB', 'aB')).toBeNull()
  expect(after('a', 'aB', 'aBC')).toBe('c')
})

test('what is asked stays, and so does nothing', () => {
  expect(after('a', 'A', 'AB')).toBeNull()
  expect(after('b', 'AB', 'A')).toBeNull()
})
