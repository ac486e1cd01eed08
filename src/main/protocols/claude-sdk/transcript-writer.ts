import type { z } from 'zod'
import { type Json, numberOf, objectOf, stringOf } from '../../../shared/json'
import type { TranscriptChange } from '../../../shared/conversation/live-transcript'
import { promptOrNotice, readLine, withResult } from '../../../shared/conversation/session-item'
import {
  agentOf,
  blockOf,
  contentOf,
  isHidden,
  timeOf,
  usageOf,
} from '../../../shared/conversation/session-record'
import type { Block, Item, NoticeItem, Reply, ToolCall } from '../../../shared/conversation/transcript'
import { shortenLong } from './long-result'
import {
  apiRetry,
  informational,
  resultMessage,
  statusMessage,
  taskNotification,
  taskProgress,
  taskStarted,
  toolProgress,
  type WireMessage,
} from './wire-messages'

/** The transcript that is written. */
export interface WrittenTranscript {
  say(change: TranscriptChange): void
  item(id: string): Item | undefined
}

/** A message of the model that is being said. */
interface OpenMessage {
  item: string
  /** For each block, whether its final form has come. */
  finals: boolean[]
}

interface CallPlace {
  item: string
  place: number
}

/** What the id of a prompt's item begins with, before the uuid. */
export const promptItem = 'u:'

/** The main conversation, beside its sub-agents. */
const main = ''

/** Messages that say nothing of the conversation. */
const silent = new Set([
  ...[
    'keep_alive',
    'command_lifecycle',
    'rate_limit_event',
    'tool_use_summary',
    'prompt_suggestion',
    'active_goal',
  ],
  ...['auth_status', 'conversation_reset'],
])
const silentSubtypes = new Set([
  ...['init', 'session_state_changed', 'thinking_tokens', 'commands_changed', 'background_tasks_changed'],
  ...['task_updated', 'hook_started', 'hook_progress', 'hook_response', 'notification'],
  ...[
    'permission_denied',
    'files_persisted',
    'control_request_progress',
    'elicitation_complete',
    'memory_recall',
  ],
  ...['plugin_install', 'worker_shutting_down', 'mirror_error'],
])

/**
 * Writes what Claude Code says into a transcript. What is streamed is shown as it comes, and replaced by its final form.
 * What sub-agents say is written under the call that started them.
 */
export class TranscriptWriter {
  readonly #transcript: WrittenTranscript
  readonly #unknown: (type: string) => void
  readonly #now: () => number
  /** The message that each lane streams, the main conversation or a sub-agent. */
  readonly #streams = new Map<string, OpenMessage>()
  readonly #messages = new Map<string, OpenMessage>()
  readonly #calls = new Map<string, CallPlace>()
  /** Where the blocks of each message are, by its uuid. */
  readonly #places = new Map<string, CallPlace[]>()
  /** The calls without a result, and who made them. */
  readonly #open = new Map<string, string>()
  /** The sub-agent that an item is of. */
  readonly #owners = new Map<string, string>()
  /** What tasks in the background do, by their ids. */
  readonly #tasks = new Map<string, string>()
  #offset = 0
  /** The person has stopped the turn: what was running has not been refused. */
  #isStopping = false
  #retries = 0
  #isRetrying = false
  #lastError = ''

  /** `unknown` is told each type that isn't known here. */
  constructor(transcript: WrittenTranscript, unknown: (type: string) => void, now: () => number = Date.now) {
    this.#transcript = transcript
    this.#unknown = unknown
    this.#now = now
  }

  /** What the person says. `id`: the uuid that it is sent with. */
  prompt(id: string, blocks: readonly Block[]): void {
    const base = { ...this.#base(promptItem + id, null), kind: 'prompt' as const, manner: 'typed' as const }
    this.#put(main, { ...base, blocks })
  }

  /** Something between what is said. */
  notice(what: NoticeItem['what'], text: string, record: unknown = null, id?: string): void {
    const base = this.#base(id ?? `n:${this.#offset}`, null)
    this.#put(main, { ...base, kind: 'notice', what, text, record })
  }

  take(message: WireMessage): void {
    switch (message.type) {
      case 'stream_event':
        return this.#stream(message)
      case 'assistant':
        return this.#assistant(message)
      case 'user':
        return this.#user(message)
      case 'result':
        return this.#result(message)
      case 'tool_progress':
        return this.#progress(toolProgress.safeParse(message).data)
      case 'system':
        return this.#system(message)
      default:
        if (!silent.has(message.type)) this.#unknown(message.type)
    }
  }

  /** Whether any call is without a result. */
  get isBusy(): boolean {
    return this.#open.size > 0
  }

  /** How many sub-agents have a call without a result. */
  get busyAgents(): number {
    return new Set([...this.#open.values()].filter((lane) => lane !== main)).size
  }

  /** What was said earlier, in order. */
  earlier(items: readonly Item[]): void {
    for (const item of items) this.#put(main, item)
  }

  /** The person stops the turn. */
  stopping(): void {
    this.#isStopping = true
  }

  /** The program has ended: nothing goes on. */
  ended(): void {
    this.#isRetrying = false
    for (const lane of [...this.#streams.keys()]) this.#endStream(lane)
    for (const call of [...this.#open.keys()]) this.#stopCall(call)
    this.#isStopping = false
  }

  /** A turn is over. Sub-agents may work on in the background. */
  #turnOver(): void {
    this.#isRetrying = false
    this.#endStream(main)
    for (const [call, lane] of [...this.#open]) if (lane === main) this.#stopCall(call)
    this.#isStopping = false
  }

  #endStream(lane: string): void {
    const stream = this.#streams.get(lane)
    if (stream) this.#dropUnfinished(stream)
    this.#streams.delete(lane)
  }

  #stopCall(call: string): void {
    this.#open.delete(call)
    this.#changeCall(call, (known) => ({ ...known, state: 'stopped', endedAt: this.#now() }))
  }

  #stream(message: Json): void {
    const event = objectOf(message['event']) ?? { ...objectOf(message['data']), type: message['event'] }
    const lane = agentOf(message) ?? main
    switch (event['type']) {
      case 'message_start':
        return this.#begin(lane, objectOf(event['message']) ?? {})
      case 'content_block_start':
        return this.#startBlock(lane, numberOf(event['index']) ?? 0, event['content_block'])
      case 'content_block_delta':
        return this.#delta(lane, numberOf(event['index']) ?? 0, objectOf(event['delta']) ?? {})
      case 'message_delta': {
        const delta = objectOf(event['delta'])
        return this.#end(lane, stringOf(delta?.['stop_reason']), event['usage'])
      }
      case 'message_stop':
        if (message['abandoned_blocks'] && this.#streams.get(lane)?.finals.includes(false))
          this.notice('information', 'The answer broke off, so Claude doesn’t remember it.', message)
    }
  }

  #begin(lane: string, message: Json): void {
    this.#isRetrying = false
    this.#endStream(lane)
    const id = stringOf(message['id']) ?? String(this.#offset)
    this.#streams.set(lane, this.#messageOf(lane, id, message, null))
  }

  /** Makes a message's item when it is first heard of. */
  #messageOf(lane: string, id: string, message: Json, at: number | null): OpenMessage {
    const key = `${lane} ${id}`
    const known = this.#messages.get(key)
    if (known) return known
    const made = { item: lane === main ? `m:${id}` : `m:${id} ${lane}`, finals: [] }
    this.#messages.set(key, made)
    const model = stringOf(message['model'])
    this.#put(lane, {
      ...this.#base(made.item, at),
      ...{ kind: 'reply', blocks: [], costUSD: null, stopReason: null, isError: false },
      model: model === '<synthetic>' ? null : model,
      usage: usageOf(message['usage']),
    })
    return made
  }

  #startBlock(lane: string, place: number, value: unknown): void {
    const stream = this.#streams.get(lane)
    const block = blockOf(value, this.#now())
    if (!stream || !block || stream.finals[place] === true) return
    stream.finals[place] = false
    const begun: Block = block.kind === 'tool' ? { kind: 'tool', call: { ...block.call, input: '' } } : block
    this.#putBlock(stream.item, place, begun)
  }

  #delta(lane: string, place: number, delta: Json): void {
    const stream = this.#streams.get(lane)
    if (!stream || stream.finals[place] !== false) return
    const text = stringOf(delta['text']) ?? stringOf(delta['thinking']) ?? stringOf(delta['partial_json'])
    if (text !== null && text !== '') this.#transcript.say({ kind: 'more', item: stream.item, place, text })
  }

  #end(lane: string, stopReason: string | null, usage: unknown): void {
    const stream = this.#streams.get(lane)
    const item = stream && this.#transcript.item(stream.item)
    if (item?.kind !== 'reply') return
    const read = usageOf({ ...objectOf(usage) })
    const merged = read && { ...read, input: read.input || (item.usage?.input ?? 0) }
    this.#put(lane, { ...item, stopReason: stopReason ?? item.stopReason, usage: merged ?? item.usage })
  }

  #assistant(record: Json): void {
    const message = objectOf(record['message']) ?? {}
    const lane = agentOf(record) ?? main
    if (lane === main) this.#isRetrying = false
    else this.#nameAgent(lane, record)
    const at = timeOf(record) ?? this.#now()
    const id = stringOf(message['id']) ?? stringOf(record['uuid']) ?? String(this.#offset)
    this.#retract(record['supersedes'])
    const open = this.#messageOf(lane, id, message, at)
    const places: CallPlace[] = []
    for (const part of contentOf(record)) {
      const block = blockOf(part, at)
      if (!block) continue
      const place = this.#placeOf(open, block)
      open.finals[place] = true
      places.push({ item: open.item, place })
      this.#putBlock(open.item, place, block)
    }
    const uuid = stringOf(record['uuid'])
    if (uuid !== null) this.#places.set(uuid, places)
    const item = this.#transcript.item(open.item)
    if (item?.kind !== 'reply') return
    const isError = record['error'] !== undefined || record['isApiErrorMessage'] === true
    const changed: Partial<Reply> = {
      ...(item.at === null ? { at } : {}),
      ...(isError ? { isError } : {}),
      ...(item.stopReason === null ? { stopReason: stringOf(message['stop_reason']) } : {}),
    }
    this.#put(lane, { ...item, ...changed })
    if (isError) this.#lastError = textOfError(item.blocks)
  }

  /** Takes back messages that the agent itself has dropped, by their uuids; results go with their calls. */
  #retract(uuids: unknown): void {
    if (!Array.isArray(uuids)) return
    const places = uuids.flatMap((uuid) => this.#places.get(String(uuid)) ?? [])
    for (const id of new Set(places.map(({ item }) => item))) {
      const item = this.#transcript.item(id)
      if (item?.kind !== 'reply') continue
      const gone = new Set(places.filter((one) => one.item === id).map(({ place }) => place))
      // The places of the others stay.
      const blocks = item.blocks.map((block, place) => (gone.has(place) ? nothing : block))
      const isLeft = blocks.some((block) => block !== nothing)
      this.#transcript.say({
        kind: 'put',
        item: { ...item, blocks: isLeft ? blocks : [] },
        ...this.#ownerOf(id),
      })
    }
  }

  /** Where a final block belongs: to its own call, else in place of the first streamed one of its kind, else behind. */
  #placeOf({ item, finals }: OpenMessage, block: Block): number {
    const blocks = blocksOf(this.#transcript.item(item))
    const own = blocks.findIndex(
      (one, place) =>
        finals[place] === false &&
        one.kind === block.kind &&
        (one.kind !== 'tool' || block.kind !== 'tool' || one.call.id === block.call.id),
    )
    return own < 0 ? blocks.length : own
  }

  #user(record: Json): void {
    const lane = agentOf(record) ?? main
    const results = contentOf(record).flatMap((part) => {
      const object = objectOf(part)
      return object?.['type'] === 'tool_result' ? [object] : []
    })
    if (results.length > 0) return this.#results(record, results)
    if (lane === main && (record['isSynthetic'] === true || isHidden(record)) && !this.#saysSomething(record))
      return
    const line = readLine({ offset: this.#offset++, bytes: 0, record })
    if (!line || line.shown === null) return
    const item = { ...promptOrNotice(line), at: line.at ?? this.#now() }
    // What the person said is there already.
    if (item.kind === 'prompt' && this.#transcript.item(item.id)) return
    if (lane !== main) this.#nameAgent(lane, record)
    this.#put(lane, item)
  }

  /** Whether a message that the person didn't write is shown all the same. */
  #saysSomething(record: Json): boolean {
    const line = readLine({ offset: 0, bytes: 0, record })
    return line?.shown === 'interrupted' || line?.shown === 'output'
  }

  #results(record: Json, parts: readonly Json[]): void {
    const kept = objectOf(shortenLong(record)) ?? record
    const at = timeOf(record) ?? this.#now()
    for (const part of parts) {
      const call = stringOf(part['tool_use_id'])
      if (call === null) continue
      this.#open.delete(call)
      const short = contentOf(kept).find((one) => objectOf(one)?.['tool_use_id'] === call)
      const found = { offset: this.#offset++, at, record: kept, part: objectOf(short) ?? part }
      this.#changeCall(call, (known) => {
        const done = withResult(known, found)
        const state = done.state !== 'done' && this.#isStopping ? 'stopped' : done.state
        return { ...done, state, progress: null }
      })
    }
  }

  #progress(read: ReturnType<typeof toolProgress.parse> | undefined): void {
    if (!read) return
    const { elapsed_time_seconds: seconds, progress, total, message } = read
    const parts = [
      message,
      progress === undefined ? undefined : total === undefined ? `${progress}` : `${progress} of ${total}`,
      seconds === undefined ? undefined : `${Math.round(seconds)} s`,
    ].filter((part) => part !== undefined)
    this.#changeCall(read.tool_use_id, (known) => ({ ...known, progress: parts.join(', ') }))
  }

  #result(message: Json): void {
    this.#turnOver()
    const read = resultMessage.safeParse(message).data
    if (!read?.is_error && !read?.subtype.startsWith('error')) return
    const text = read.errors.join('\n') || read.result || ''
    // Said already, by the message in place of the model's.
    if (text !== '' && text === this.#lastError) return
    if (read.terminal_reason?.startsWith('aborted') === true) return
    this.notice('error', text || 'The turn ended with an error. Send a message to go on.', message)
  }

  #system(message: WireMessage): void {
    const subtype = stringOf(message['subtype']) ?? ''
    switch (subtype) {
      case 'compact_boundary':
        return this.notice('compacted', '', message)
      case 'api_retry':
        return this.#retry(message)
      case 'status': {
        const { compact_result, compact_error } = statusMessage.safeParse(message).data ?? {}
        if (compact_result === 'failed')
          this.notice('error', compact_error ?? 'The conversation could not be summarized.', message)
        return
      }
      case 'task_progress': {
        const read = taskProgress.safeParse(message).data
        const words = [read?.summary ?? read?.description, read?.last_tool_name].filter(Boolean).join(': ')
        if (read?.tool_use_id !== undefined && words !== '')
          this.#changeCall(read.tool_use_id, (known) => ({ ...known, progress: words }))
        return
      }
      case 'task_started': {
        const read = taskStarted.safeParse(message).data
        if (read && read.is_backgrounded !== false && read.skip_transcript !== true && read.ambient !== true)
          this.#tasks.set(read.task_id, read.description)
        return
      }
      case 'task_notification': {
        const read = taskNotification.safeParse(message).data
        const task = read && this.#tasks.get(read.task_id)
        if (read && task !== undefined) this.notice('information', taskWords(task, read), message)
        if (read) this.#tasks.delete(read.task_id)
        return
      }
      case 'informational': {
        const read = informational.safeParse(message).data
        if (read && read.level !== 'info') this.notice('information', read.content, message)
        return
      }
      case 'local_command_output':
        return this.notice('output', stringOf(message['content']) ?? '', message)
      case 'model_refusal_fallback':
      case 'model_refusal_no_fallback':
        this.#retract(message['retracted_message_uuids'])
        return this.notice('information', stringOf(message['content']) ?? '', message)
      default:
        if (!silentSubtypes.has(subtype)) this.#unknown(`system ${subtype}`)
    }
  }

  /** One notice for all tries of one request. */
  #retry(message: Json): void {
    const read = apiRetry.safeParse(message).data
    if (!read) return
    if (!this.#isRetrying) this.#retries += 1
    this.#isRetrying = true
    const why =
      read.error_status === null ? 'The service did not answer' : `The service answered ${read.error_status}`
    const seconds = Math.max(1, Math.round(read.retry_delay_ms / 1000))
    const text = `${why}. Trying again in ${seconds} s (${read.attempt} of ${read.max_retries}).`
    this.notice('error', text, message, `retry:${this.#retries}`)
  }

  /** Streamed blocks without a final form were given up, by a retry or a stop before anything was whole. */
  #dropUnfinished({ item: id, finals }: OpenMessage): void {
    const item = this.#transcript.item(id)
    if (item?.kind !== 'reply' || finals.every((isFinal) => isFinal)) return
    const kept = item.blocks.filter((block, place) => finals[place] !== false || isWorthKeeping(block))
    this.#transcript.say({ kind: 'put', item: { ...item, blocks: kept }, ...this.#ownerOf(id) })
  }

  #nameAgent(lane: string, record: Json): void {
    const call = stringOf(record['parent_tool_use_id'])
    if (call !== null)
      this.#changeCall(call, (known) => (known.agent === null ? { ...known, agent: lane } : known))
  }

  #changeCall(id: string, change: (call: ToolCall) => ToolCall): void {
    const at = this.#calls.get(id)
    const block = at && blocksOf(this.#transcript.item(at.item))[at.place]
    if (!at || block?.kind !== 'tool' || block.call.id !== id) return
    const call = change(block.call)
    if (call !== block.call) this.#transcript.say({ kind: 'block', ...at, block: { kind: 'tool', call } })
  }

  #putBlock(item: string, place: number, block: Block): void {
    if (block.kind === 'tool') {
      const known = this.#calls.get(block.call.id)
      const before = known && blocksOf(this.#transcript.item(known.item))[known.place]
      this.#calls.set(block.call.id, { item, place })
      if (before?.kind === 'tool' && before.call.result !== null) return
      this.#open.set(block.call.id, this.#owners.get(item) ?? main)
      const { startedAt, agent } = before?.kind === 'tool' ? before.call : block.call
      const call = { ...block.call, startedAt: startedAt ?? block.call.startedAt, agent }
      return this.#transcript.say({ kind: 'block', item, place, block: { kind: 'tool', call } })
    }
    this.#transcript.say({ kind: 'block', item, place, block })
  }

  #ownerOf(item: string): { agent?: string } {
    const agent = this.#owners.get(item)
    return agent === undefined ? {} : { agent }
  }

  #put(lane: string, item: Item): void {
    if (lane !== main) this.#owners.set(item.id, lane)
    this.#transcript.say({ kind: 'put', item, ...this.#ownerOf(item.id) })
  }

  #base(id: string, at: number | null) {
    return { id, offset: this.#offset++, at: at ?? this.#now(), branches: null }
  }
}

/** In place of a block that was taken back. */
const nothing: Block = { kind: 'text', text: '' }

function blocksOf(item: Item | undefined): readonly Block[] {
  return item === undefined || item.kind === 'notice' ? [] : item.blocks
}

/** A text that was cut off is still worth reading; half of a tool's input is not. */
function isWorthKeeping(block: Block): boolean {
  return (block.kind === 'text' || block.kind === 'thinking') && block.text.trim() !== ''
}

/** What became of a task in the background. A sub-agent's whole report stands with its call. */
function taskWords(task: string, { status, summary, ...more }: z.infer<typeof taskNotification>): string {
  if (more['summary_is_report'] !== true && summary !== '') return summary
  const ends: Record<string, string> = { completed: 'is done', failed: 'failed', stopped: 'was stopped' }
  return `In the background: “${task}” ${ends[status] ?? 'has ended'}.`
}

function textOfError(blocks: readonly Block[]): string {
  return blocks.flatMap((block) => (block.kind === 'text' ? [block.text] : [])).join('\n')
}
