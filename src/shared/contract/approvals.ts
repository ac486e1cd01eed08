import { z } from 'zod'
import type { Approval, ApprovalRecordEntry, ApprovalRule } from '../approval/approval'
import { longestSubject } from '../approval/approval'
import { longestValue } from '../approval/approval-fields'
import { defineCall, defineTopic, nothing, path, resultOf } from './define'

const value = z.union([
  z.string().max(longestValue),
  z.boolean(),
  z.array(z.string().max(longestValue)).max(200),
])

/** The part of a rule that the person may change. */
const ruleWords = z.object({
  answer: z.enum(['allow', 'deny']),
  kind: z.enum(['run', 'fetch', 'other']),
  agent: z.string().max(200).nullable(),
  tool: z.string().max(500).nullable(),
  // Every character of a subject may have to be escaped.
  pattern: z
    .string()
    .min(1)
    .max(2 * longestSubject),
  folder: path.nullable(),
})

export const approvalRule: z.ZodType<ApprovalRule> = ruleWords.extend({
  session: z.string().max(200).nullable(),
  id: z.string().max(100),
  madeAt: z.number(),
})

/** What the record keeps on disk: nothing that was said. */
export const approvalRecordEntry: z.ZodType<ApprovalRecordEntry> = z.object({
  id: z.string().max(100),
  at: z.number(),
  agent: z.string().max(200),
  dialect: z.string().max(100),
  kind: z.enum(['run', 'fetch', 'plan', 'question', 'other']),
  tool: z.string().max(500).nullable(),
  folder: z.string().nullable(),
  outcome: z.enum(['allowed', 'denied', 'withdrawn', 'refused']),
  by: z.enum(['person', 'rule', 'elsewhere', 'app']),
  rule: z.string().nullable(),
  said: z.null(),
})

export const approvalsCalls = {
  /** The person's answer. It has been recorded when this succeeds; before that the agent is told nothing. */
  'approvals.answer': defineCall(
    z.object({
      id: z.string().max(100),
      option: z.string().max(200),
      values: z.record(z.string().max(200), value),
      reason: z.string().max(longestValue).nullable(),
    }),
    resultOf(nothing),
  ),
  /** The person has seen that a question was withdrawn: it leaves the list. */
  'approvals.seen': defineCall(z.object({ id: z.string().max(100) }), nothing),
  /** Shows the tab of approvals. */
  'approvals.show': defineCall(nothing, nothing),
  /** Makes a rule that is kept. */
  'approvals.addRule': defineCall(ruleWords, resultOf(nothing)),
  /** Changes a rule that is there. */
  'approvals.editRule': defineCall(
    z.object({ id: z.string().max(100), change: ruleWords }),
    resultOf(nothing),
  ),
  'approvals.removeRule': defineCall(z.object({ id: z.string().max(100) }), resultOf(nothing)),
}

// What the host tells is its own and is not checked again.
const approval = z.custom<Approval>()
const rules = z.object({ rules: z.array(z.custom<ApprovalRule>()) })
const record = z.object({ entries: z.array(z.custom<ApprovalRecordEntry>()) })

export const approvalsTopics = {
  /** The questions that are put in this window, the oldest first. */
  approvals: defineTopic(
    nothing,
    z.object({ approvals: z.array(approval) }),
    z.discriminatedUnion('kind', [
      z.object({ kind: z.literal('put'), approval }),
      z.object({ kind: z.literal('remove'), id: z.string() }),
    ]),
  ),
  /** The rules that answer by themselves. */
  approvalRules: defineTopic(nothing, rules, rules),
  /** What was answered and by whom, the latest last. */
  approvalRecord: defineTopic(nothing, record, record),
}
