import { expect, test } from 'vitest'
import { NoticedTabs } from './noticed-tabs'

test('a tab is noticed when a side has shown it for 400 ms without a pause', () => {
  const since = new NoticedTabs()
  since.hear({ left: 'file', right: null }, 0)
  expect(since.isNoticed('file', 399)).toBe(false)
  expect(since.isNoticed('file', 400)).toBe(true)
  // Other tabs come and go; what stays shown stays noticed.
  since.hear({ left: 'file', right: 'review' }, 500)
  expect(since.isNoticed('file', 501)).toBe(true)
  expect(since.isNoticed('review', 899)).toBe(false)
  expect(since.isNoticed('review', 900)).toBe(true)
  since.hear({ left: 'file', right: 'other' }, 1000)
  since.hear({ left: 'file', right: 'review' }, 1001)
  expect(since.isNoticed('review', 1100)).toBe(false)
  expect(since.isNoticed('elsewhere', 5000)).toBe(false)
})
