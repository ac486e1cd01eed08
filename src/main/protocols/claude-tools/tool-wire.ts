import { z } from 'zod'

/**
 * How Claude Code asks whether a tool may be used, and what it is answered (docs/protocols/claude-sdk.md). Schemas are
 * loose: versions add members.
 */

const text = z.string()
const bag = z.record(z.string(), z.unknown())

const permissionMode = z.enum(['default', 'acceptEdits', 'bypassPermissions', 'plan', 'dontAsk', 'auto'])
/** How tools are allowed. */
export type PermissionMode = z.infer<typeof permissionMode>

/** A change of the agent's own rules, which it suggests and takes back with an answer. */
export const permissionUpdate = z.looseObject({ type: text })
export type PermissionUpdate = z.infer<typeof permissionUpdate>

/** Asks whether a tool may be used. Texts may hold ANSI escapes. */
export const canUseTool = z.looseObject({
  subtype: z.literal('can_use_tool'),
  tool_name: text,
  input: bag,
  /** The server of a tool; `sdk` is the source of those that the driving program has itself. */
  mcp_server: z.looseObject({ name: text, source: text }).optional(),
  /** Older programs leave it out. */
  tool_use_id: text.optional(),
  permission_suggestions: z.array(permissionUpdate).optional(),
  blocked_path: text.optional(),
  decision_reason: text.optional(),
  decision_reason_type: text.optional(),
  suppress_always_allow_rule: z.boolean().optional(),
  default_to_no: z.boolean().optional(),
  matched_ask_rule: z
    .looseObject({ source: text, tool_name: text, rule_content: text.optional() })
    .optional(),
  title: text.optional(),
  display_name: text.optional(),
  /** The sub-agent that asks. */
  agent_id: text.optional(),
  description: text.optional(),
  requires_user_interaction: z.boolean().optional(),
})
export type CanUseTool = z.infer<typeof canUseTool>

/** The answer to `can_use_tool`. */
export type PermissionResult =
  | {
      behavior: 'allow'
      updatedInput: Record<string, unknown>
      updatedPermissions?: PermissionUpdate[]
    }
  | { behavior: 'deny'; message: string; interrupt?: boolean }
