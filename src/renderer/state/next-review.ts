import type { ReviewSummary } from '../../shared/contract/review'
import { send } from './calls'
import { readMirror } from './mirror'
import { reviewsMirror } from './reviews'
import { readSetting } from './settings'

/** The review that comes after a decided one: the oldest that can be decided now. Null when there is none. */
export function nextReview(reviews: readonly ReviewSummary[], decided: string): ReviewSummary | null {
  const open = reviews.filter((review) => review.phase === 'open' && review.id !== decided)
  return open.reduce<ReviewSummary | null>(
    (oldest, review) => (oldest === null || review.askedAt < oldest.askedAt ? review : oldest),
    null,
  )
}

/** The person has decided the review that was shown: shows the next one in its tab, where they want that. */
export function showNextReview(decided: string): void {
  if (!readSetting('reviewNextAfterDecision')) return
  const next = nextReview(readMirror(reviewsMirror)?.reviews ?? [], decided)
  if (next) send('tabs.openReview', { review: next.id })
}
