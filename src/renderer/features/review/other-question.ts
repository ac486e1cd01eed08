import type { ReviewSummary } from '../../../shared/contract/review'
import { type ReviewSessionState, shownSession } from './review-session'

/**
 * Whether a shown review now asks something else: another phase, another agent, a file that is gone, a new warning. For
 * a binary file every change of the review counts, because the person can't see it in any other way; changes of a text
 * are noticed where it is followed.
 */
export function isOtherQuestion(before: ReviewSessionState, after: ReviewSessionState): boolean {
  if (before.kind === 'text' && after.kind === 'text') {
    return questionOf(before.summary) !== questionOf(after.summary)
  }
  if (before.kind === 'binary' && after.kind === 'binary') {
    return before.summary.revision !== after.summary.revision || before.sizeAfter !== after.sizeAfter
  }
  // A text has become binary, or the other way round.
  return shownSession(before) !== null && shownSession(after) !== null
}

function questionOf({
  phase,
  effect,
  agent,
  agents,
  isNew,
  isGone,
  isStale,
  meanwhile,
  problem,
}: ReviewSummary): string {
  return JSON.stringify([phase, effect, agents ?? agent, isNew, isGone === true, isStale, meanwhile, problem])
}
