import type { ReviewSummary } from '../contract/review'

/** Whether somebody is waiting for a review: it is open, and not written already. */
export function isWaiting({ phase, effect }: Pick<ReviewSummary, 'phase' | 'effect'>): boolean {
  return phase === 'open' && effect !== 'written'
}

/** Whether an agent is waiting for a review, and not the person for their own replacements. */
export function isQuestion(review: Pick<ReviewSummary, 'phase' | 'effect' | 'dialect'>): boolean {
  return isWaiting(review) && review.dialect !== 'search'
}
