import type { ApprovalAnswer, ApprovalOption } from '../../../shared/approval/approval'
import { type Field, longestSubject } from '../../../shared/approval/approval-fields'
import { type Json, stringOf } from '../../../shared/json'
import { modeName, modeWords, rememberedOptions, type RememberedOption } from './permission-suggestions'
import type { CanUseTool } from './tool-wire'

const field = 'plan'
/** The mode that is offered to go on in, where the agent suggests none. */
const usualMode = 'acceptEdits'

/** The plan that the tool ExitPlanMode shows, as Markdown; null where the agent wrote none. */
export function planOf(input: Json): string | null {
  const plan = stringOf(input['plan'])
  return plan === null || plan.trim() === '' ? null : plan
}

/** The plan to be edited. */
export function planFields(input: Json): Field[] {
  const plan = planOf(input)
  if (plan === null || plan.length > longestSubject) return []
  return [
    {
      kind: 'text',
      id: field,
      label: 'Plan',
      help: null,
      required: true,
      lines: 'many',
      format: 'markdown',
      shortest: null,
      longest: null,
      initial: plan,
    },
  ]
}

/** The ways to go on with a plan: the mode before, another mode, or to keep planning. */
export function planOptions(request: CanUseTool): ApprovalOption[] {
  return [
    { id: 'allow', label: 'Approve', leadsTo: { kind: 'allow', remembers: null } },
    ...planModes(request).map(({ option }) => option),
    { id: 'deny', label: 'Keep planning', leadsTo: { kind: 'deny', stops: false } },
    { id: 'stop', label: 'Reject and stop', leadsTo: { kind: 'deny', stops: true, dropsReason: true } },
  ]
}

/** The modes that an approval may lead to: those that the agent suggests, else the one for edits. */
export function planModes(request: CanUseTool): RememberedOption[] {
  const suggested = rememberedOptions(request).flatMap(({ updates }) =>
    updates.flatMap((one) => (one.type === 'setMode' ? [String(one['mode'])] : [])),
  )
  return (suggested.length > 0 ? suggested : [usualMode]).map((mode) => ({
    option: {
      id: `mode-${mode}`,
      label: `Approve and switch to ${modeName(mode)}`,
      leadsTo: {
        kind: 'allow',
        remembers: { by: 'agent', words: modeWords(mode) },
      },
    },
    updates: [{ type: 'setMode', mode, destination: 'session' }],
  }))
}

/** What the tool is given: the plan, where the person changed it. */
export function plannedInput(input: Json, { values }: ApprovalAnswer & { kind: 'allowed' }): Json {
  const edited = stringOf(values[field])
  return edited === null || edited === planOf(input) ? input : { ...input, plan: edited }
}
