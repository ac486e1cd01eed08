import type { ReviewSummary } from '../contract/review'
import { isPersonsOwn } from './proposal'

/** Whether somebody is waiting for a review: it is open, and not written already. */
export function isWaiting({ phase, effect }: Pick<ReviewSummary, 'phase' | 'effect'>): boolean {
  return phase === 'open' && effect !== 'written'
}

/** Whether an agent is waiting for a review; the person's own proposals can wait. */
export function isQuestion(review: Pick<ReviewSummary, 'phase' | 'effect' | 'dialect'>): boolean {
  return isWaiting(review) && !isPersonsOwn(review)
}
