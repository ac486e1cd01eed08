import type { ReviewSummary } from '../../../shared/contract/review'
import { isQuestion } from '../../../shared/review/waiting'
import { readMirror } from '../host/mirror'
import { askedApprovals, showApproval } from '../approvals/approvals-mirror'
import { inOrder, reviewsMirror } from './reviews-mirror'
import { readSetting } from '../settings/settings-mirror'
import { showReview } from './shown-review'

/** What decides a review's place among all that waits. An approval takes part as an open question. */
type Queued = Pick<ReviewSummary, 'id' | 'askedAt' | 'phase' | 'effect' | 'dialect'>

/**
 * The review that comes after one that is over: the next of the list that can be decided now, and from its end the
 * first. What an agent waits for comes before the rest. Null when there is none.
 */
export function nextReview<R extends Queued>(
  reviews: readonly R[],
  over: Pick<ReviewSummary, 'id' | 'askedAt'>,
): R | null {
  const listed = inOrder(reviews)
  const at = listed.findIndex(({ id }) => id === over.id)
  // A review that has left the list was before the first one asked later.
  const below = at < 0 ? listed.filter(({ askedAt }) => askedAt >= over.askedAt) : listed.slice(at + 1)
  const open = [...below, ...listed].filter(({ id, phase }) => phase === 'open' && id !== over.id)
  return open.find(isQuestion) ?? open[0] ?? null
}

/**
 * Shows the next of all that waits after a review or an approval is over, if the settings say so; with `takesFocus`
 * the focus goes there. Gives whether there is one.
 */
export function showNextWaiting(over: Pick<ReviewSummary, 'id' | 'askedAt'>, takesFocus: boolean): boolean {
  if (!readSetting('reviewNextAfterDecision')) return false
  const reviews: readonly Queued[] = readMirror(reviewsMirror)?.reviews ?? []
  const asked = askedApprovals()
  const approvals = asked.map(({ id, askedAt, question }): Queued => {
    return { id, askedAt, phase: 'open', effect: 'host', dialect: question.requester.dialect }
  })
  const next = nextReview([...reviews, ...approvals], over)
  if (next === null) return false
  if (asked.some(({ id }) => id === next.id)) showApproval(next.id, takesFocus)
  else showReview(next.id, takesFocus)
  return true
}
