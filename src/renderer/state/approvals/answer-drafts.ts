import type { FieldValues } from '../../../shared/approval/approval-fields'
import type { PlanComment } from '../../../shared/approval/plan-comments'
import { objectOf, parseJson } from '../../../shared/json'

/** What the person has filled in before answering. */
export interface AnswerDraft {
  values: FieldValues
  reason: string
  /** On the lines of a plan. */
  comments: readonly PlanComment[]
}

const key = (approval: string) => `approval ${approval}`

/** What was filled in before the page was reloaded, or null. It is kept in this browser tab. */
export function readAnswerDraft(approval: string): AnswerDraft | null {
  const kept = objectOf(parseJson(sessionStorage.getItem(key(approval)) ?? ''))
  return kept ? (kept as unknown as AnswerDraft) : null
}

export function keepAnswerDraft(approval: string, draft: AnswerDraft): void {
  try {
    sessionStorage.setItem(key(approval), JSON.stringify(draft))
  } catch {
    // The storage is full: a reload will lose it.
  }
}

/** Forgets the drafts of approvals that are over. */
export function forgetAnswerDrafts(open: ReadonlySet<string>): void {
  for (const name of Object.keys(sessionStorage)) {
    if (name.startsWith(key('')) && !open.has(name.slice(key('').length))) sessionStorage.removeItem(name)
  }
}
