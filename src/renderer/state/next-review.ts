import type { ReviewSummary } from '../../shared/contract/review'
import { send } from './calls'
import { readMirror } from './mirror'
import { reviewsMirror } from './reviews'
import { readSetting } from './settings'

/** Whether an agent asks for it and waits for the answer. */
export function isQuestion({ phase, effect, dialect }: ReviewSummary): boolean {
  return phase === 'open' && effect !== 'written' && dialect !== 'search'
}

/**
 * The review that comes after one that is over: the next of the list that can be decided now, and from its end the
 * first. What an agent waits for comes before the rest. Null when there is none.
 */
export function nextReview(
  reviews: readonly ReviewSummary[],
  over: Pick<ReviewSummary, 'id' | 'askedAt'>,
): ReviewSummary | null {
  const open = reviews
    .filter((review) => review.phase === 'open' && review.id !== over.id)
    .sort((one, two) => one.askedAt - two.askedAt)
  const questions = open.filter(isQuestion)
  const next = questions.length > 0 ? questions : open
  return next.find(({ askedAt }) => askedAt >= over.askedAt) ?? next[0] ?? null
}

/** The person has decided the review that was shown: shows the next one in its tab, where they want that. */
export function showNextReview(decided: Pick<ReviewSummary, 'id' | 'askedAt'>): void {
  if (!readSetting('reviewNextAfterDecision')) return
  const next = nextReview(readMirror(reviewsMirror)?.reviews ?? [], decided)
  if (next) send('tabs.openReview', { review: next.id })
}
