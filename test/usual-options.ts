import type { ApprovalOption, NewRule, Question } from '../src/shared/approval/approval'
import { isRuleKind, mayBeRuled, sessionOf } from '../src/shared/approval/approval-rule'

/** A pattern that fits a text and nothing else. */
export function patternOf(text: string): string {
  return text.replace(/[\\*]/g, (sign) => `\\${sign}`)
}

/** The options of a usual question; those that make a rule only where a rule could answer the same question again. */
export function usualOptions(question: Omit<Question, 'options'>): ApprovalOption[] {
  const { kind, requester, tool, folder, subject } = question
  const rule: NewRule | null =
    isRuleKind(kind) && mayBeRuled({ ...question, options: [] })
      ? {
          answer: 'allow',
          kind,
          agent: requester.agent,
          tool,
          pattern: patternOf(subject),
          folder,
          session: null,
        }
      : null
  const remember = (id: string, label: string, session: string | null): ApprovalOption[] =>
    rule === null
      ? []
      : [{ id, label, leadsTo: { kind: 'allow', remembers: { by: 'rule', rule: { ...rule, session } } } }]
  return [
    { id: 'once', label: 'Allow once', leadsTo: { kind: 'allow', remembers: null } },
    ...remember('session', 'Allow for session', sessionOf(question)),
    ...remember('always', 'Always allow', null),
    { id: 'deny', label: 'Deny', leadsTo: { kind: 'deny', stops: false } },
    { id: 'stop', label: 'Deny and stop', leadsTo: { kind: 'deny', stops: true } },
  ]
}
