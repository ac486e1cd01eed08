import { lineWords, shortQuote } from '../review/comments'
import { longestSubject } from './approval-fields'

/** What the person says about lines of a plan. Lines count from 1 and include the last. */
export interface PlanComment {
  id: string
  from: number
  to: number
  /** The plan's text there, so that the comment finds its place after an edit. */
  quote: string
  text: string
}

/** The longest reason for denying, with comments and a changed plan in it. UTF-16 units. */
export const longestReason = 2 * longestSubject

/**
 * What an agent is told when its plan goes back: the person's reason, their comments in the plan's order, and the plan as
 * they changed it (null if they didn't). Null if there is nothing to say.
 */
export function planReason(
  reason: string,
  comments: readonly PlanComment[],
  changed: string | null,
): string | null {
  const lines = comments
    .filter(({ text }) => text.trim() !== '')
    .toSorted((one, other) => one.from - other.from)
    .map(({ from, to, quote, text }) => `${lineWords({ from, to })}, “${shortQuote(quote)}”: ${text.trim()}`)
  const parts = [
    reason.trim(),
    lines.join('\n'),
    changed === null ? '' : `The plan as the user changed it:\n\n${changed}`,
  ].filter((part) => part !== '')
  return parts.length === 0 ? null : parts.join('\n\n')
}
