import { type Json, numberOf, objectOf, stringOf } from '../json'
import { claudeToolKind, claudeToolTitle } from './claude-tools'
import type { Activity, Block, Usage } from './transcript'

/**
 * Reads single records of a session's lines: of Claude Code's session files, old and new, and of its stream over
 * stdio. Everything is looked at with care and nothing is required: what is not as known counts as not there. Written
 * by hand, since it runs in the page too and over every line of a session: a schema takes several times as long.
 */

/** When a record was made, in milliseconds since the epoch: a time as text, or as a number. */
export function timeOf(record: Json): number | null {
  const time = record['timestamp']
  if (typeof time === 'number') return Number.isFinite(time) ? time : null
  if (typeof time !== 'string') return null
  const parsed = Date.parse(time)
  return Number.isNaN(parsed) ? null : parsed
}

/** The type that a record gives itself; empty where it gives none. */
export function typeOf(record: Json): string {
  return stringOf(record['type']) ?? ''
}

/** What an agent's own record keeping is made of: types that are known, and no part of what is said. */
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

/** Whether a record is part of what is said, serves the agent itself, or is of a kind unknown here. */
export function standingOf(record: Json): 'saying' | 'known' | 'unknown' {
  const type = typeOf(record)
  if (sayingTypes.has(type)) return 'saying'
  return servingTypes.has(type) ? 'known' : 'unknown'
}

/** The sub-agent that a record belongs to; null for the conversation itself. Its name is stable, and unique. */
export function agentOf(record: Json): string | null {
  const call = stringOf(record['parent_tool_use_id'])
  if (call !== null) return `call:${call}`
  if (record['isSidechain'] !== true) return null
  return stringOf(record['agentId']) ?? ''
}

/**
 * The record that this one follows: an id, null where it begins a conversation, undefined where it does not say. A
 * compaction is a new beginning for the model, but not for the reader.
 */
export function parentOf(record: Json): string | null | undefined {
  const parent = record['parentUuid']
  if (typeof parent === 'string') return parent
  return parent === null ? stringOf(record['logicalParentUuid']) : undefined
}

/** A message's content as a list, whichever way it is written. */
export function contentOf(record: Json): readonly unknown[] {
  const message = objectOf(record['message'])
  const content = message ? message['content'] : record['content']
  if (typeof content === 'string') return [{ type: 'text', text: content }]
  return Array.isArray(content) ? (content as readonly unknown[]) : []
}

/**
 * What joins the lines of one message of the model: each of its parts has a line, and all have its id. The request is
 * part of it, for ids are unique within one service only.
 */
export function messageKeyOf(record: Json): string | null {
  const id = stringOf(objectOf(record['message'])?.['id'])
  if (id === null) return null
  return `${id} ${stringOf(record['requestRef']) ?? stringOf(record['requestId']) ?? ''}`
}

/** Tokens as the vendor writes them; null where there is nothing of the kind. */
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

/** A part of a message as a block; a tool is a call of which nothing is known yet, a tool's result is none (null). */
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

/** What begins the line that is written when the person stops a turn. */
const interruption = '[Request interrupted by user'

/** Whether a text says that the person stopped a turn. */
export function saysInterrupted(text: string): boolean {
  return text.startsWith(interruption)
}

/** Whether a text is what an agent is told when a task in the background ends, written in the person's place. */
export function isTaskNotification(text: string): boolean {
  return text.startsWith('<task-notification>')
}

/** Whether a user's record is not the person's word: written for the model, or the model's own summary. */
export function isHidden(record: Json): boolean {
  return record['isMeta'] === true || record['isCompactSummary'] === true
}

/** What stands between the first `<name>` and `</name>` of a text; null where there is none. */
export function tagged(text: string, name: string): string | null {
  const start = text.indexOf(`<${name}>`)
  if (start < 0) return null
  const from = start + name.length + 2
  const end = text.indexOf(`</${name}>`, from)
  return end < 0 ? text.slice(from) : text.slice(from, end)
}

/**
 * What one record, heard after all before it, says about whether the agent works; null where it says nothing. Newer
 * versions end a turn by a line of its own; older ones with the model's last message without a tool, which counts for
 * both: between the two nothing but bookkeeping happens. Don't ask this of a sub-agent's records. "dequeue" means that
 * the agent takes up a prompt (measured).
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

/** A message of the model that goes on: with a tool, or thinking only, or said to be broken off for a tool. */
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
    // Commands of the agent itself and lines of its shell are no turns.
    if (/^<(command-name|command-message|local-command-|bash-)/.test(text)) return null
    return 'working'
  }
  return 'working'
}
