import type { PersonsAnswer, Question } from '../../../shared/approval/approval'
import type { TextField } from '../../../shared/approval/approval-fields'
import { planReason } from '../../../shared/approval/plan-comments'
import type { AnswerDraft } from '../../state/approvals/answer-drafts'
import { revealed } from '../../ui/labels/revealed-text'

/** The field with the plan that may be changed, if there is one. */
export function planFieldOf({ kind, fields }: Question): TextField | undefined {
  if (kind !== 'plan') return undefined
  return fields.find((field): field is TextField => field.kind === 'text' && field.format === 'markdown')
}

/** A text among what was filled in; empty if it is anything else. */
export function textOf(value: PersonsAnswer['values'][string] | undefined): string {
  return typeof value === 'string' ? value : ''
}

/** Why it is denied: for a plan with the comments on it and the changes in it. */
export function reasonFor(
  plan: TextField | undefined,
  { reason, values, comments }: AnswerDraft,
): string | null {
  if (!plan) return reason
  const text = textOf(values[plan.id])
  return planReason(reason, comments, text === plan.initial ? null : text)
}

/** Why it can't be allowed yet: what was said about a plan goes back only with a no. Null if there is nothing. */
export function unsaidComments({ options }: Question, { comments }: AnswerDraft): string | null {
  if (!comments.some(({ text }) => text.trim() !== '')) return null
  const no = options.find(({ leadsTo }) => leadsTo.kind === 'deny')
  return `Your comments are only sent if you don’t approve. Choose “${revealed(no?.label ?? '')}”, or remove them.`
}
