import { z } from 'zod'
import { canUseTool, type PermissionMode } from '../claude-tools/tool-wire'

/**
 * What Claude Code and a program that drives it say to each other, a line of JSON each (docs/protocols/claude-sdk.md).
 * Schemas are for what is read, and loose: versions add members. What is said in the conversation itself (`assistant`,
 * `user`, `stream_event`) has the shapes of session files and is read by `shared/conversation/session-record`, since a
 * schema for every delta of a stream would cost more than parsing it.
 */

/** Any message: an object that says its type. */
export interface WireMessage {
  readonly type: string
  readonly [member: string]: unknown
}

const text = z.string()
const count = z.number()
const bag = z.record(z.string(), z.unknown())

/** Calls a hook that `initialize` registered. */
const hookCallback = z.looseObject({
  subtype: z.literal('hook_callback'),
  callback_id: text,
  input: z.looseObject({
    hook_event_name: text,
    session_id: text.optional(),
    /** The prompt that the turn began with. */
    prompt_id: text.optional(),
    permission_mode: text.optional(),
    /** The session's own file, in `projects/FOLDER` of the agent's configuration. */
    transcript_path: text.optional(),
    tool_name: text.optional(),
    tool_input: z.unknown().optional(),
    tool_use_id: text.optional(),
    agent_id: text.optional(),
  }),
  tool_use_id: text.optional(),
})
export type HookCallback = z.infer<typeof hookCallback>

/** A server of the agent's asks the person something. */
const elicitation = z.looseObject({
  subtype: z.literal('elicitation'),
  mcp_server_name: text,
  message: text,
  mode: z.enum(['form', 'url']).optional(),
  url: text.optional(),
  requested_schema: bag.optional(),
  property_order: z.array(text).optional(),
  title: text.optional(),
  display_name: text.optional(),
  description: text.optional(),
})
export type Elicitation = z.infer<typeof elicitation>

/** A tool asks by a dialog of its own kind. */
const userDialog = z.looseObject({
  subtype: z.literal('request_user_dialog'),
  dialog_kind: text,
  payload: bag,
  tool_use_id: text.optional(),
})
export type UserDialog = z.infer<typeof userDialog>

/** A message for a server of tools that lives in the driving program. */
const mcpMessage = z.looseObject({
  subtype: z.literal('mcp_message'),
  server_name: text,
  message: z.looseObject({}),
})
export type McpMessage = z.infer<typeof mcpMessage>

/** What the agent asks of the program that drives it; anything else is answered as an error. */
export const controlRequest = z.discriminatedUnion('subtype', [
  canUseTool,
  hookCallback,
  elicitation,
  userDialog,
  mcpMessage,
])
export type ControlRequest = z.infer<typeof controlRequest>

/** Which tools call hooks of the driving program. */
export interface HookMatcher {
  matcher?: string
  hookCallbackIds: string[]
  /** Seconds. */
  timeout?: number
  /** What is done where a hook isn't answered rightly. */
  onFailure?: 'continue' | 'block'
}

/** The events of hooks that are registered. */
export type HookedEvent = 'PreToolUse' | 'PostToolUse' | 'PostToolUseFailure'

/** A system prompt in place of the agent's own, or added to it. */
export interface GivenSystemPrompt {
  systemPrompt?: string[]
  appendSystemPrompt?: string
}

/** What Greenlight asks of the agent. */
export type SentRequest =
  | ({
      subtype: 'initialize'
      hooks?: Partial<Record<HookedEvent, HookMatcher[]>>
      sdkMcpServers?: string[]
      agentProgressSummaries?: boolean
      forwardSubagentText?: boolean
      supportedDialogKinds?: string[]
      perTaskStopAffordance?: boolean
    } & GivenSystemPrompt)
  | { subtype: 'interrupt'; cancel_queued?: boolean }
  | { subtype: 'set_permission_mode'; mode: PermissionMode }
  | { subtype: 'set_model'; model: string | null }
  | { subtype: 'apply_flag_settings'; settings: Record<string, unknown> }
  | { subtype: 'stop_task'; task_id: string }
  | { subtype: 'cancel_async_message'; message_uuid: string }
  | { subtype: 'mcp_status' }
  | { subtype: 'mcp_reconnect'; serverName: string }
  | { subtype: 'mcp_toggle'; serverName: string; enabled: boolean }
  | { subtype: 'list_permission_rules' }
  | { subtype: 'get_context_usage'; detail?: 'summary' | 'full' }
  | { subtype: 'get_usage'; skip_behaviors?: boolean }
  | { subtype: 'rewind_files'; user_message_id: string; dry_run?: boolean }

/** A part of what a person says. */
export type SentContent =
  | { type: 'text'; text: string }
  | {
      type: 'image'
      source: {
        type: 'base64'
        media_type: 'image/png' | 'image/jpeg' | 'image/gif' | 'image/webp'
        data: string
      }
    }

/** What a person says. */
export interface SentPrompt {
  type: 'user'
  message: { role: 'user'; content: string | SentContent[] }
  parent_tool_use_id: null
  session_id: string
  uuid?: `${string}-${string}-${string}-${string}-${string}`
  /** When a working agent takes it up: at once, between two tools, or when its turn is over. */
  priority?: 'now' | 'next' | 'later'
}

const slashCommand = z.looseObject({
  name: text,
  description: text.default(''),
  argumentHint: text.default(''),
})
const modelInfo = z.looseObject({
  value: text,
  displayName: text.optional(),
  description: text.optional(),
  supportsEffort: z.boolean().optional(),
  supportedEffortLevels: z.array(text).optional(),
  supportsAutoMode: z.boolean().optional(),
})

/** What `initialize` is answered with. */
export const initialized = z.looseObject({
  commands: z.array(slashCommand).default([]),
  agents: z.array(z.looseObject({ name: text, description: text.default('') })).default([]),
  models: z.array(modelInfo).default([]),
  hooks_applied: z.boolean().optional(),
  /** Whether it refuses where a hook that says `onFailure: 'block'` isn't answered rightly; older ones don't say. */
  hook_on_failure_supported: z.boolean().optional(),
  claude_code_version: text.optional(),
})
export type Initialized = z.infer<typeof initialized>

/** What a turn begins with. */
export const initMessage = z.looseObject({
  session_id: text,
  cwd: text.optional(),
  model: text.optional(),
  permissionMode: text.optional(),
  claude_code_version: text.optional(),
  tools: z.array(text).default([]),
  agents: z.array(text).default([]),
  skills: z.array(text).default([]),
  plugins: z
    .array(z.looseObject({ name: text, path: text.optional(), version: text.optional() }))
    .default([]),
  plugin_errors: z.array(z.looseObject({ plugin: text, message: text })).default([]),
  effort: text.nullish(),
  capabilities: z.array(text).default([]),
})
export type InitMessage = z.infer<typeof initMessage>

const modelUsage = z.looseObject({
  inputTokens: count.default(0),
  outputTokens: count.default(0),
  cacheReadInputTokens: count.default(0),
  cacheCreationInputTokens: count.default(0),
  costUSD: count.optional(),
})
export type ModelUsage = z.infer<typeof modelUsage>

/** How a turn ended. Cost and `modelUsage` are of the whole conversation so far. */
export const resultMessage = z.looseObject({
  subtype: text,
  is_error: z.boolean().default(false),
  result: text.optional(),
  errors: z.array(text).default([]),
  num_turns: count.optional(),
  total_cost_usd: count.optional(),
  modelUsage: z.record(z.string(), modelUsage).default({}),
  permission_denials: z.array(z.looseObject({ tool_name: text, tool_use_id: text })).default([]),
  terminal_reason: text.optional(),
})

/** What it does now, where a version says so. */
export const stateMessage = z.looseObject({ state: z.enum(['idle', 'running', 'requires_action']) })

export const statusMessage = z.looseObject({
  status: text.nullable(),
  permissionMode: text.optional(),
  compact_result: z.enum(['success', 'failed']).optional(),
  compact_error: text.optional(),
})

export const taskStarted = z.looseObject({
  task_id: text,
  tool_use_id: text.optional(),
  description: text.default(''),
  is_backgrounded: z.boolean().optional(),
  ambient: z.boolean().optional(),
  skip_transcript: z.boolean().optional(),
})
export const taskProgress = z.looseObject({
  task_id: text,
  tool_use_id: text.optional(),
  description: text.default(''),
  summary: text.optional(),
  last_tool_name: text.optional(),
})
export const taskUpdated = z.looseObject({
  task_id: text,
  patch: z.looseObject({
    status: text.optional(),
    description: text.optional(),
    is_backgrounded: z.boolean().optional(),
  }),
})
export const taskNotification = z.looseObject({
  task_id: text,
  tool_use_id: text.optional(),
  status: text,
  summary: text.default(''),
})
/** Every task there is; it replaces what was known. */
export const tasksChanged = z.looseObject({
  tasks: z.array(
    z.looseObject({
      task_id: text,
      /** `local_agent`: a sub-agent. */
      task_type: text.optional(),
      description: text.default(''),
      ambient: z.boolean().optional(),
    }),
  ),
})

/** A request to the model failed and is made again. */
export const apiRetry = z.looseObject({
  attempt: count,
  max_retries: count,
  retry_delay_ms: count,
  error_status: count.nullable(),
  error: text.default(''),
})
/** How long a tool runs; programs that speak the older form count up to a total. */
export const toolProgress = z.looseObject({
  tool_use_id: text,
  tool_name: text.optional(),
  elapsed_time_seconds: count.optional(),
  progress: count.optional(),
  total: count.optional(),
  message: text.optional(),
})
/** The whole list of commands, anew. */
export const commandsChanged = z.looseObject({ commands: z.array(slashCommand) })
/** A sentence for the person. */
export const informational = z.looseObject({ content: text, level: text.optional() })

/** Answers to what Greenlight asks. */
export const mcpStatus = z.looseObject({
  mcpServers: z
    .array(
      z.looseObject({
        name: text,
        status: text,
        error: text.optional(),
        scope: text.optional(),
        tools: z.array(z.looseObject({ name: text })).optional(),
      }),
    )
    .default([]),
})
export const permissionRules = z.looseObject({
  state: z.looseObject({
    rules: z.array(
      z.looseObject({
        behavior: z.enum(['allow', 'deny', 'ask']),
        source: text,
        rule: text,
        notInEffect: z.boolean().optional(),
      }),
    ),
  }),
})
export const contextUsage = z.looseObject({
  categories: z.array(z.looseObject({ name: text, tokens: count, kind: text.optional() })).default([]),
  totalTokens: count,
  maxTokens: count,
  model: text.optional(),
})
export const sessionUsage = z.looseObject({
  session: z.looseObject({
    total_cost_usd: count.default(0),
    total_api_duration_ms: count.default(0),
    total_duration_ms: count.default(0),
    total_lines_added: count.default(0),
    total_lines_removed: count.default(0),
    model_usage: z.record(z.string(), modelUsage).default({}),
  }),
})
export const asyncCancelled = z.looseObject({ cancelled: z.boolean() })
