import { expect, test } from 'vitest'
import type { ReviewSummary } from '../../../shared/contract/review'
import type { Approval } from '../../../shared/approval/approval'
import { comesToFront } from './new-reviews'
import { nextReview } from './next-review'

const review = (
  id: string,
  askedAt: number,
  phase: ReviewSummary['phase'] = 'open',
  effect: ReviewSummary['effect'] = 'agent',
): ReviewSummary => ({
  id,
  askedAt,
  phase,
  path: `/${id}`,
  name: id,
  folder: '',
  agent: 'Claude',
  dialect: 'claude',
  connection: 'c',
  title: id,
  effect,
  content: 'text',
  isNew: false,
  isOutside: false,
  isReadOnly: false,
  isStale: false,
  addedLines: 1,
  removedLines: 1,
  changes: 1,
  decided: 0,
  written: 0,
  problem: null,
  revision: 1,
})

test('the next of the list comes after a decided one, and from its end on the first', () => {
  const reviews = [review('new', 4), review('waits', 1, 'queued'), review('old', 2), review('middle', 3)]
  expect(nextReview(reviews, { id: 'old', askedAt: 2 })?.id).toBe('middle')
  expect(nextReview(reviews, { id: 'new', askedAt: 4 })?.id).toBe('old')
  // Rejected: it is in the list no more.
  expect(nextReview(reviews, { id: 'gone', askedAt: 3 })?.id).toBe('middle')
})

test('reviews that were asked at once follow each other as they are listed', () => {
  const reviews = [review('a', 1), review('b', 1), review('c', 1)]
  expect(nextReview(reviews, review('a', 1))?.id).toBe('b')
  expect(nextReview(reviews, review('b', 1))?.id).toBe('c')
})

test('what an agent waits for comes before what is written already', () => {
  const reviews = [review('asked', 1), review('decided', 2), review('written', 3, 'open', 'written')]
  expect(nextReview(reviews, { id: 'decided', askedAt: 2 })?.id).toBe('asked')
  expect(nextReview(reviews.slice(1), { id: 'decided', askedAt: 2 })?.id).toBe('written')
})

test('nothing comes next when only the decided one and those that cannot be decided are left', () => {
  const reviews = [review('decided', 1), review('accepted', 2, 'awaiting')]
  expect(nextReview(reviews, { id: 'decided', askedAt: 1 })).toBeNull()
})

const approval = { id: 'a' } as Approval

const tab = {
  id: 't',
  side: 'left',
  pinned: false,
  kind: 'review',
  review: 'r',
  path: '/r',
  name: 'r',
} as const

test('a new question waits behind an open one, and behind nothing that nobody waits for', () => {
  const fresh = review('fresh', 9)
  expect(comesToFront([fresh], approval, tab, review('r', 1))).toBeUndefined()
  for (const inFront of [
    review('r', 1, 'open', 'written'),
    review('r', 1, 'orphaned'),
    review('r', 1, 'overdue'),
    review('r', 1, 'awaiting'),
    undefined,
  ]) {
    expect(comesToFront([fresh], approval, tab, inFront)).toEqual({ review: fresh })
    expect(comesToFront([], approval, tab, inFront)).toEqual({ approval })
  }
})

test('what is written already hides nothing that is in front but a file', () => {
  const written = review('w', 9, 'open', 'written')
  expect(comesToFront([written], undefined, tab, review('r', 1, 'open', 'written'))).toBeUndefined()
  expect(comesToFront([written], undefined, undefined, undefined)).toEqual({ review: written })
  // Of several at once the question comes.
  const asked = review('asked', 10)
  expect(comesToFront([written, asked], undefined, undefined, undefined)).toEqual({ review: asked })
  expect(comesToFront([written], approval, undefined, undefined)).toEqual({ approval })
})
