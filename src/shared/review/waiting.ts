import type { ReviewSummary } from '../contract/review'

/** Whether a review keeps somebody waiting: it is neither queued nor written already, and somebody still asks. */
export function isWaiting({ phase, effect }: Pick<ReviewSummary, 'phase' | 'effect'>): boolean {
  return phase === 'open' && effect !== 'written'
}

/** Whether an agent waits for the answer. The person's own replacements wait too, but no agent asks for them. */
export function isQuestion(review: Pick<ReviewSummary, 'phase' | 'effect' | 'dialect'>): boolean {
  return isWaiting(review) && review.dialect !== 'search'
}
