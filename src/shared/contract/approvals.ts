import { z } from 'zod'
import type { Approval, ApprovalRecordEntry, ApprovalRule } from '../approval/approval'
import { longestReason } from '../approval/plan-comments'
import { fieldValues, ruleWords } from '../approval/approval-schemas'
import { defineCall, defineTopic, nothing, resultOf } from './define'

export const approvalsCalls = {
  /** The person's answer. Succeeds once it is recorded; only then is the agent told. */
  'approvals.answer': defineCall(
    z.object({
      id: z.string().max(100),
      option: z.string().max(200),
      values: fieldValues,
      reason: z.string().max(longestReason).nullable(),
    }),
    resultOf(nothing),
  ),
  /** The person has seen that a question was withdrawn, so it leaves the list. */
  'approvals.seen': defineCall(z.object({ id: z.string().max(100) }), nothing),
  /** Shows the tab of approvals. */
  'approvals.show': defineCall(nothing, nothing),
  /** Adds a rule that is kept. */
  'approvals.addRule': defineCall(ruleWords, resultOf(nothing)),
  'approvals.editRule': defineCall(
    z.object({ id: z.string().max(100), change: ruleWords }),
    resultOf(nothing),
  ),
  'approvals.removeRule': defineCall(z.object({ id: z.string().max(100) }), resultOf(nothing)),
}

// What comes from the host isn't checked.
const approval = z.custom<Approval>()
const rules = z.object({ rules: z.array(z.custom<ApprovalRule>()) })
const record = z.object({ entries: z.array(z.custom<ApprovalRecordEntry>()) })

export const approvalsTopics = {
  /** The questions shown in this window, the oldest first. */
  approvals: defineTopic(
    nothing,
    z.object({ approvals: z.array(approval) }),
    z.discriminatedUnion('kind', [
      z.object({ kind: z.literal('put'), approval }),
      z.object({ kind: z.literal('remove'), id: z.string() }),
    ]),
  ),
  approvalRules: defineTopic(nothing, rules, rules),
  /** What was answered and by whom, the latest last. */
  approvalRecord: defineTopic(nothing, record, record),
}
