import { type Json, numberOf, objectOf, stringOf } from '../json'
import { claudeToolKind, claudeToolTitle } from './claude-tools'
import type { Activity, Block, Usage } from './transcript'

/**
 * Reads single records of Claude Code's session files, old and new, and of its stream over stdio. Nothing is required:
 * what doesn't have the known shape counts as absent. Written by hand, since it also runs in the page, and over every
 * line of a session: a schema takes several times as long.
 */

/** When a record was made, in milliseconds since the epoch; it may be written as text or as a number. */
export function timeOf(record: Json): number | null {
  const time = record['timestamp']
  if (typeof time === 'number') return Number.isFinite(time) ? time : null
  if (typeof time !== 'string') return null
  const parsed = Date.parse(time)
  return Number.isNaN(parsed) ? null : parsed
}

/** A record's type; empty if it has none. */
export function typeOf(record: Json): string {
  return stringOf(record['type']) ?? ''
}

/** Types that the agent keeps for itself: known, and not part of what is said. */
const servingTypes = new Set([
  'attachment',
  'file-history-snapshot',
  'file-history-delta',
  'queue-operation',
  'mode',
  'permission-mode',
  'last-prompt',
  'custom-title',
  'ai-title',
  'agent-name',
  'agent-color',
  'agent-setting',
  'cost-state',
  'tools-used',
  'atis-latch',
  'api-request',
  'api-request-shape',
  'api-request-blob',
  'summary',
  'progress',
  'tag',
  'pr-link',
  'worktree-state',
  'content-replacement',
  'result',
  'stream_event',
])

/** Types whose records make up the conversation. */
const sayingTypes = new Set(['user', 'assistant', 'system'])

/** Whether a record is part of what is said, is the agent's own (`known`), or has an unknown type. */
export function standingOf(record: Json): 'saying' | 'known' | 'unknown' {
  const type = typeOf(record)
  if (sayingTypes.has(type)) return 'saying'
  return servingTypes.has(type) ? 'known' : 'unknown'
}

/** The sub-agent that a record belongs to, by a stable and unique name; null for the conversation itself. */
export function agentOf(record: Json): string | null {
  const call = stringOf(record['parent_tool_use_id'])
  if (call !== null) return `call:${call}`
  if (record['isSidechain'] !== true) return null
  return stringOf(record['agentId']) ?? ''
}

/**
 * The id of the record that this one follows; null if it begins a conversation, undefined if it doesn't say. A
 * compaction is a new beginning for the model, but not for the reader.
 */
export function parentOf(record: Json): string | null | undefined {
  const parent = record['parentUuid']
  if (typeof parent === 'string') return parent
  return parent === null ? stringOf(record['logicalParentUuid']) : undefined
}

/** A message's content as a list, however it is written. */
export function contentOf(record: Json): readonly unknown[] {
  const message = objectOf(record['message'])
  const content = message ? message['content'] : record['content']
  if (typeof content === 'string') return [{ type: 'text', text: content }]
  return Array.isArray(content) ? (content as readonly unknown[]) : []
}

/**
 * The key that all lines of one model message share: each part has its own line. Includes the request, since ids are
 * unique only within one service.
 */
export function messageKeyOf(record: Json): string | null {
  const id = stringOf(objectOf(record['message'])?.['id'])
  if (id === null) return null
  return `${id} ${stringOf(record['requestRef']) ?? stringOf(record['requestId']) ?? ''}`
}

/** Tokens as the vendor writes them; null if there are none. */
export function usageOf(value: unknown): Usage | null {
  const usage = objectOf(value)
  if (!usage) return null
  const input = numberOf(usage['input_tokens']) ?? numberOf(usage['inputTokens'])
  const output = numberOf(usage['output_tokens']) ?? numberOf(usage['outputTokens'])
  if (input === null && output === null) return null
  const cacheRead = usage['cache_read_input_tokens'] ?? usage['cacheReadInputTokens']
  const cacheWrite = usage['cache_creation_input_tokens'] ?? usage['cacheCreationInputTokens']
  return {
    input: input ?? 0,
    output: output ?? 0,
    cacheRead: numberOf(cacheRead) ?? 0,
    cacheWrite: numberOf(cacheWrite) ?? 0,
  }
}

/** A part of a message as a block, with a tool as an open call; null for a tool's result. */
export function blockOf(value: unknown, at: number | null): Block | null {
  if (typeof value === 'string') return { kind: 'text', text: value }
  const part = objectOf(value)
  if (!part) return { kind: 'other', type: '', value }
  const type = typeOf(part)
  switch (type) {
    case 'text':
      return { kind: 'text', text: stringOf(part['text']) ?? '' }
    case 'thinking':
      return { kind: 'thinking', text: stringOf(part['thinking']) ?? '' }
    case 'redacted_thinking':
      return { kind: 'thinking', text: '' }
    case 'tool_use':
    case 'server_tool_use':
    case 'mcp_tool_use':
      return { kind: 'tool', call: callOf(part, at) }
    case 'tool_result':
      return null
    case 'image':
      return imageOf(part)
    case 'document': {
      const mediaType = stringOf(objectOf(part['source'])?.['media_type']) ?? ''
      return { kind: 'document', title: stringOf(part['title']) ?? '', mediaType }
    }
    default:
      return { kind: 'other', type, value }
  }
}

function callOf(part: Json, at: number | null): Extract<Block, { kind: 'tool' }>['call'] {
  const name = stringOf(part['name']) ?? ''
  return {
    id: stringOf(part['id']) ?? '',
    kind: claudeToolKind(name),
    name,
    title: claudeToolTitle(name),
    input: part['input'],
    state: 'open',
    result: null,
    progress: null,
    agent: null,
    startedAt: at,
    endedAt: null,
  }
}

function imageOf(part: Json): Block {
  const source = objectOf(part['source'])
  return {
    kind: 'image',
    mediaType: stringOf(source?.['media_type']) ?? '',
    data: stringOf(source?.['data']) ?? '',
    url: stringOf(source?.['url']),
  }
}

/** Begins the line that is written when the person stops a turn. */
const interruption = '[Request interrupted by user'

/** Whether a text says that the person stopped a turn. */
export function saysInterrupted(text: string): boolean {
  return text.startsWith(interruption)
}

/** Whether a text, written as if by the person, tells the agent that a background task has ended. */
export function isTaskNotification(text: string): boolean {
  return text.startsWith('<task-notification>')
}

/** Whether a user record isn't from the person: written for the model, or the model's own summary. */
export function isHidden(record: Json): boolean {
  return record['isMeta'] === true || record['isCompactSummary'] === true
}

/** The text between the first `<name>` and `</name>`; null if there is none. */
export function tagged(text: string, name: string): string | null {
  const start = text.indexOf(`<${name}>`)
  if (start < 0) return null
  const from = start + name.length + 2
  const end = text.indexOf(`</${name}>`, from)
  return end < 0 ? text.slice(from) : text.slice(from, end)
}

/**
 * What a record, read after all before it, says about whether the agent is working; null if nothing. Newer versions end
 * a turn with its own line, older ones with the model's last message without a tool; that message counts in both, since
 * only bookkeeping comes between the two. "dequeue" means that the agent takes up a prompt (measured). Not for a
 * sub-agent's records.
 */
export function activityOf(record: Json): Activity | null {
  switch (typeOf(record)) {
    case 'assistant':
      return saysMore(record) ? 'working' : 'idle'
    case 'user':
      return userActivity(record)
    case 'system':
      return record['subtype'] === 'turn_duration' ? 'idle' : null
    case 'progress':
    case 'stream_event':
      return 'working'
    case 'queue-operation':
      return record['operation'] === 'dequeue' ? 'working' : null
    case 'result':
      return 'idle'
    default:
      return null
  }
}

/** Whether the model's turn continues after this message: with a tool, or because it was only thinking. */
function saysMore(record: Json): boolean {
  if (record['isApiErrorMessage'] === true) return false
  const message = objectOf(record['message'])
  const stop = message?.['stop_reason']
  if (stop === 'tool_use' || stop === 'pause_turn') return true
  const types = contentOf(record).map((part) => typeOf(objectOf(part) ?? {}))
  return types.includes('tool_use') || !types.includes('text')
}

function userActivity(record: Json): Activity | null {
  if (isHidden(record)) return null
  for (const part of contentOf(record)) {
    const object = objectOf(part)
    if (!object) continue
    if (object['type'] === 'tool_result') return 'working'
    const text = stringOf(object['text'])
    if (text === null) continue
    if (saysInterrupted(text)) return 'idle'
    // The agent's own commands and lines of its shell aren't turns.
    if (/^<(command-name|command-message|local-command-|bash-)/.test(text)) return null
    return 'working'
  }
  return 'working'
}
