import type { PermissionResult } from '../claude-tools/tool-wire'
import { type Failure, type Result, succeed } from '../../../shared/result'

/** The ids of the hooks that are registered. */
export const beforeEdit = 'before-edit'
export const afterEdit = 'after-edit'

/** As much of what was asked as it takes to refuse it. */
export interface Refused {
  subtype: string
  /** Of a hook. */
  callback_id?: string | undefined
}

/**
 * What is answered instead of a failure: an agent goes on with what a hook answers with an error, so it is told no in
 * the form of an answer. Only what decides about nothing is answered with the failure.
 */
export function refusalOf({ subtype, callback_id: hook }: Refused, failure: Failure): Result<object> {
  if (subtype === 'can_use_tool') return succeed(deny(failure.message))
  if (subtype !== 'hook_callback') return { ok: false, failure }
  return succeed(hook === afterEdit ? {} : hookDecision('deny', failure.message))
}

export function deny(message: string): PermissionResult {
  return { behavior: 'deny', message }
}

export function hookDecision(
  permissionDecision: 'ask' | 'deny' | 'allow',
  permissionDecisionReason: string,
  updatedInput?: Record<string, unknown>,
): object {
  return {
    hookSpecificOutput: {
      ...{ hookEventName: 'PreToolUse', permissionDecision, permissionDecisionReason },
      ...(updatedInput ? { updatedInput } : {}),
    },
  }
}
