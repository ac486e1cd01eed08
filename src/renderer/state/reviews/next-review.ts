import type { ReviewSummary } from '../../../shared/contract/review'
import { readMirror } from '../host/mirror'
import { inOrder, reviewsMirror } from './reviews-mirror'
import { readSetting } from '../settings/settings-mirror'
import { showReview } from './shown-review'

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
  const listed = inOrder(reviews)
  const at = listed.findIndex(({ id }) => id === over.id)
  // One that has left the list stood before the first that was asked later.
  const below = at < 0 ? listed.filter(({ askedAt }) => askedAt >= over.askedAt) : listed.slice(at + 1)
  const open = [...below, ...listed].filter(({ id, phase }) => phase === 'open' && id !== over.id)
  return open.find(isQuestion) ?? open[0] ?? null
}

/**
 * A review is over: shows the next one, where the person wants that, and with `takesFocus` the focus goes there. Tells
 * whether there is one.
 */
export function showNextReview(over: Pick<ReviewSummary, 'id' | 'askedAt'>, takesFocus: boolean): boolean {
  if (!readSetting('reviewNextAfterDecision')) return false
  const next = nextReview(readMirror(reviewsMirror)?.reviews ?? [], over)
  if (next) showReview(next.id, takesFocus)
  return next !== null
}
