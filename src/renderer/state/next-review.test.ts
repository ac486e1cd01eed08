import { expect, test } from 'vitest'
import type { ReviewSummary } from '../../shared/contract/review'
import { nextReview } from './next-review'

const review = (id: string, askedAt: number, phase: ReviewSummary['phase'] = 'open'): ReviewSummary => ({
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
  effect: 'agent',
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

test('the oldest that can be decided comes next, whatever the order they are told in', () => {
  const reviews = [review('new', 3), review('waits', 0, 'queued'), review('old', 1), review('middle', 2)]
  expect(nextReview(reviews, 'new')?.id).toBe('old')
  expect(nextReview(reviews, 'old')?.id).toBe('middle')
})

test('nothing comes next when only the decided one and those that cannot be decided are left', () => {
  expect(nextReview([review('decided', 1), review('written', 2, 'awaiting')], 'decided')).toBeNull()
})
