import { z } from 'zod'
import { type Result, fail, succeed } from '../../../shared/result'
import { type PermissionResult, permissionUpdate } from '../claude-tools/tool-wire'

/**
 * What Claude Code tells the hooks that it is started with, a JSON body for each event, and what it is answered. Measured
 * with 2.1.330; test/recorded/claude-hooks has bodies as they came. Schemas are loose: versions add members.
 */

const text = z.string()
const bag = z.record(z.string(), z.unknown())

/** What every body has. */
const any = {
  session_id: text,
  cwd: text,
  /** The session's own file, in `projects/FOLDER` of the agent's configuration. */
  transcript_path: text.optional(),
  /** The prompt that the turn began with. */
  prompt_id: text.optional(),
  /** The mode now; some events leave it out. */
  permission_mode: text.optional(),
  /** The sub-agent that it is about; the main thread has none. */
  agent_id: text.optional(),
  agent_type: text.optional(),
}

/** A tool and what it is given. */
const tool = { tool_name: text, tool_input: bag }

/** Commands and sub-agents that go on after the turn. */
const tasks = {
  background_tasks: z
    .array(z.looseObject({ id: text, type: text.optional(), status: text.optional() }))
    .optional(),
}

/** Before a tool runs, once its input is found valid. */
const preToolUse = z.looseObject({
  ...{ hook_event_name: z.literal('PreToolUse'), tool_use_id: text },
  ...any,
  ...tool,
})
/** A question is about to be shown in the terminal. It doesn't name its call. */
const permissionRequest = z.looseObject({
  hook_event_name: z.literal('PermissionRequest'),
  ...any,
  ...tool,
  permission_suggestions: z.array(permissionUpdate).optional(),
})
/** `tool_input` is what the tool was really given. */
const postToolUse = z.looseObject({
  ...{ hook_event_name: z.literal('PostToolUse'), tool_use_id: text },
  ...any,
  ...tool,
})
const postToolUseFailure = z.looseObject({
  ...{ hook_event_name: z.literal('PostToolUseFailure'), tool_use_id: text },
  ...any,
  ...tool,
})
/** A tool was refused without a question. */
const permissionDenied = z.looseObject({
  ...{ hook_event_name: z.literal('PermissionDenied'), tool_use_id: text.optional() },
  ...any,
})
const userPromptSubmit = z.looseObject({
  hook_event_name: z.literal('UserPromptSubmit'),
  ...any,
  prompt: text,
})
/** The turn is over. Esc sends neither this nor StopFailure. */
const stop = z.looseObject({ hook_event_name: z.literal('Stop'), ...any, ...tasks })
const stopFailure = z.looseObject({ hook_event_name: z.literal('StopFailure'), ...any })
const subagentStart = z.looseObject({ hook_event_name: z.literal('SubagentStart'), ...any, agent_id: text })
/** With an empty `agent_type` it is none of the person's, but the summing-up of /compact. */
const subagentStop = z.looseObject({
  hook_event_name: z.literal('SubagentStop'),
  ...any,
  ...tasks,
  agent_id: text,
})
const sessionEnd = z.looseObject({
  hook_event_name: z.literal('SessionEnd'),
  ...any,
  reason: text.optional(),
})
const cwdChanged = z.looseObject({
  hook_event_name: z.literal('CwdChanged'),
  ...any,
})
/** A settings file has changed. */
const configChange = z.looseObject({ hook_event_name: z.literal('ConfigChange'), ...any })

const hookCall = z.discriminatedUnion('hook_event_name', [
  preToolUse,
  permissionRequest,
  postToolUse,
  postToolUseFailure,
  permissionDenied,
  userPromptSubmit,
  stop,
  stopFailure,
  subagentStart,
  subagentStop,
  sessionEnd,
  cwdChanged,
  configChange,
])
/** One call of a hook. */
export type HookCall = z.infer<typeof hookCall>
export type HookEvent = HookCall['hook_event_name']
/** The call of one event. */
export type CallOf<E extends HookEvent> = Extract<HookCall, { hook_event_name: E }>

/** A tool's call, by what names it among those of all sessions. */
export function keyOf(call: {
  session_id: string
  agent_id?: string | undefined
  tool_use_id: string
}): string {
  return JSON.stringify([call.session_id, call.agent_id ?? null, call.tool_use_id])
}

/**
 * The call in a body. Fails as `unknown-event` or `unknown-body`: what is not understood is refused, since any other
 * answer lets the agent go on.
 */
export function readHook(body: unknown): Result<HookCall> {
  const read = hookCall.safeParse(body)
  if (read.success) return succeed(read.data)
  const isUnknown = read.error.issues.some(({ code, path }) => code === 'invalid_union' && path.length === 1)
  return isUnknown
    ? fail('unknown-event', 'Greenlight doesn’t know this event. Update Greenlight.')
    : fail('unknown-body', 'Greenlight doesn’t understand this event. Update Greenlight.')
}

/**
 * What PreToolUse is answered. `leave`: the agent's mode decides. `ask`: the agent asks in its own way, in every mode.
 * `allow`: it runs without a question; the model doesn't see another `input`, so `told` has to say it.
 */
export type CallDecision =
  | { kind: 'leave' }
  | { kind: 'ask'; why: string }
  | { kind: 'allow'; why: string; input?: Record<string, unknown>; told?: string | null }
  | { kind: 'deny'; why: string }

/**
 * The answer to PreToolUse. `leave` is said by an answer without a decision, never by `defer`: under `-p` that ends the
 * turn without a word.
 */
export function callAnswer(decision: CallDecision): object {
  const hookEventName = 'PreToolUse'
  if (decision.kind === 'leave') return { hookSpecificOutput: { hookEventName } }
  const { kind: permissionDecision, why: permissionDecisionReason } = decision
  const { input, told } = decision.kind === 'allow' ? decision : {}
  return {
    hookSpecificOutput: {
      ...{ hookEventName, permissionDecision, permissionDecisionReason },
      ...(input === undefined ? {} : { updatedInput: input }),
      ...(told === undefined || told === null ? {} : { additionalContext: told }),
    },
  }
}

/** The answer to PermissionRequest; null for no opinion, so that the terminal's question stands. */
export function permissionAnswer(decision: PermissionResult | null): object {
  return decision === null
    ? noOpinion
    : { hookSpecificOutput: { hookEventName: 'PermissionRequest', decision } }
}

/** The answer to PostToolUse that tells the model something. */
export function toldAfterwards(words: string): object {
  return { hookSpecificOutput: { hookEventName: 'PostToolUse', additionalContext: words } }
}

/** The answer to any event but PreToolUse that changes nothing. */
export const noOpinion: object = {}
