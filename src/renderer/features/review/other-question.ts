import type { ReviewSummary } from '../../../shared/contract/review'
import { type SessionState, shownSession } from './review-session'

/**
 * Whether a review that is shown has come to ask something else: another phase, another agent, a file that is gone
 * now, a new sentence of warning. Of a file that is no text any change of the review counts, for the person has no
 * other way to see it; the text of others is compared where it is followed.
 */
export function isOtherQuestion(before: SessionState, after: SessionState): boolean {
  if (before.kind === 'text' && after.kind === 'text') {
    return questionOf(before.summary) !== questionOf(after.summary)
  }
  if (before.kind === 'binary' && after.kind === 'binary') {
    return before.summary.revision !== after.summary.revision || before.sizeAfter !== after.sizeAfter
  }
  // What was a text is none any more, or the other way round.
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
