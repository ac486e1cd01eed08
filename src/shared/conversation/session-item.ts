import { type Json, numberOf, objectOf, stringOf } from '../json'
import {
  agentOf,
  blockOf,
  contentOf,
  isHidden,
  isTaskNotification,
  messageKeyOf,
  parentOf,
  saysInterrupted,
  standingOf,
  tagged,
  timeOf,
  typeOf,
  usageOf,
} from './session-record'
import type { TreeLine, Unit } from './session-tree'
import type {
  Block,
  Branches,
  Item,
  NoticeItem,
  Prompt,
  SourceLine,
  ToolCall,
  ToolResult,
} from './transcript'

/** A line with a readable record, and its place in the tree. */
export interface ReadLine extends TreeLine {
  record: Json
  at: number | null
  /** What it is shown as; null if it isn't shown. */
  shown: 'prompt' | 'reply' | NoticeItem['what'] | null
}

/** The result of a tool, from one line. */
export interface ResultLine {
  offset: number
  at: number | null
  record: Json
  /** The part of the message that holds it. */
  part: Json
}

/** What is known about tools from other lines than the one that used them. */
export interface ToolKnowledge {
  result(call: string, offset: number): ResultLine | null
  progress(call: string): unknown
  agent(call: ToolCall): string | null
}

/** Reads a line's place and what it is shown as. Undefined for a line that holds no object. */
export function readLine(line: SourceLine): ReadLine | undefined {
  const record = objectOf(line.record)
  if (!record) return undefined
  const { offset } = line
  const uuid = stringOf(record['uuid'])
  const isQueued = queuedPrompt(record) !== null
  const shown = standingOf(record) === 'saying' ? shownAs(record) : isQueued ? 'prompt' : null
  const own = uuid === null ? `o:${offset}` : `u:${uuid}`
  const message = shown === 'reply' ? messageKeyOf(record) : null
  return {
    offset,
    uuid,
    parent: parentOf(record),
    key: shown === null ? null : message === null ? own : `m:${message}`,
    isTalk: shown === 'prompt' || shown === 'reply',
    isPrompt: shown === 'prompt',
    record,
    at: timeOf(record),
    shown,
  }
}

function shownAs(record: Json): ReadLine['shown'] {
  switch (typeOf(record)) {
    case 'assistant':
      return 'reply'
    case 'user':
      return isHidden(record) ? null : userShownAs(record)
    default:
      return systemShownAs(record)
  }
}

function userShownAs(record: Json): ReadLine['shown'] {
  const said = contentOf(record).filter((part) => objectOf(part)?.['type'] !== 'tool_result')
  if (said.length === 0) return null
  const text = firstText(said)
  if (text === null) return 'prompt'
  if (saysInterrupted(text)) return 'interrupted'
  if (isTaskNotification(text)) return 'information'
  if (/^\s*<(local-command|bash)-std(out|err)>/.test(text)) return 'output'
  return cleaned(text) === '' && said.length === 1 ? null : 'prompt'
}

function systemShownAs(record: Json): ReadLine['shown'] {
  const subtype = stringOf(record['subtype'])
  if (subtype === 'compact_boundary') return 'compacted'
  if (subtype === 'api_error' || record['level'] === 'error') return 'error'
  const text = stringOf(record['content'])
  if (record['isMeta'] === true || text === null || text.trim() === '') return null
  if (subtype !== 'local_command') return 'information'
  return tagged(text, 'command-name') === null ? 'output' : 'prompt'
}

/** A queued prompt that the agent got while it worked, outside the conversation. */
function queuedPrompt(record: Json): unknown {
  const attachment = objectOf(record['attachment'])
  return attachment?.['type'] === 'queued_command' ? (attachment['prompt'] ?? null) : null
}

export function makeItem(unit: Unit<ReadLine>, tools: ToolKnowledge): Item {
  const { first, key: id } = unit
  const branches = branchesOf(unit)
  if (first.shown !== 'reply') return { ...promptOrNotice(first), id, branches }
  const { offset, at } = first
  return { id, offset, at, branches, kind: 'reply', ...replyOf(unit.lines, tools) }
}

/** The item of a line that isn't a reply. */
export function promptOrNotice({ key, offset, at, shown, record }: ReadLine): Prompt | NoticeItem {
  const base = { id: key ?? `o:${offset}`, offset, at, branches: null }
  if (shown === 'prompt' || shown === 'reply' || shown === null)
    return { ...base, kind: 'prompt', ...promptOf(record) }
  return { ...base, kind: 'notice', what: shown, text: noticeText(record), record }
}

function branchesOf(unit: Unit<ReadLine>): Branches | null {
  const { ways } = unit
  return ways && { ids: ways.map((way) => way.key), index: ways.indexOf(unit) }
}

function replyOf(lines: readonly ReadLine[], tools: ToolKnowledge) {
  const blocks: Block[] = []
  let stopReason: string | null = null
  let model: string | null = null
  let costUSD: number | null = null
  let isError = false
  for (const { record, at, offset } of lines) {
    for (const part of contentOf(record)) {
      const block = blockOf(part, at)
      if (block?.kind === 'tool') blocks.push({ kind: 'tool', call: joined(block.call, offset, tools) })
      else if (block) blocks.push(block)
    }
    const message = objectOf(record['message'])
    stopReason = stringOf(message?.['stop_reason']) ?? stopReason
    model = stringOf(message?.['model']) ?? model
    const cost = numberOf(record['costUSD'])
    if (cost !== null) costUSD = (costUSD ?? 0) + cost
    if (record['isApiErrorMessage'] === true) isError = true
  }
  if (model === '<synthetic>') model = null
  return { model, blocks, usage: usageOfLines(lines), costUSD, stopReason, isError }
}

/** The tokens of a message. Each of its lines has the count so far, so the last one has all. */
export function usageOfLines(lines: readonly ReadLine[]) {
  const [first] = lines
  if (!first || first.shown !== 'reply') return null
  for (let index = lines.length - 1; index >= 0; index--) {
    const message = objectOf(lines[index]?.record['message'])
    if (message?.['model'] === '<synthetic>') return null
    const usage = usageOf(message?.['usage'])
    if (usage) return usage
  }
  return null
}

function joined(call: ToolCall, offset: number, tools: ToolKnowledge): ToolCall {
  const found = tools.result(call.id, offset)
  const progress = tools.progress(call.id)
  if (!found) {
    const open = { ...call, progress }
    return { ...open, agent: tools.agent(open) }
  }
  const done = { ...withResult(call, found), progress }
  return { ...done, agent: tools.agent(done) }
}

/** A call with what came of it. */
export function withResult(call: ToolCall, found: ResultLine): ToolCall {
  const result = resultOf(found)
  return { ...call, result, state: stateOf(found, result), endedAt: found.at }
}

function resultOf({ part, record, at, offset }: ResultLine): ToolResult {
  const { content } = part
  const parts = typeof content === 'string' ? [content] : Array.isArray(content) ? (content as unknown[]) : []
  return {
    content: parts.flatMap((inner) => blockOf(inner, at) ?? []),
    isError: part['is_error'] === true,
    detail: record['toolUseResult'] ?? record['tool_use_result'],
    offset,
  }
}

function stateOf({ record, part }: ResultLine, result: ToolResult): ToolCall['state'] {
  const decision = stringOf(decisionOn(part, record)?.['decision'])
  if (decision === 'reject' || decision === 'deny') return 'refused'
  if (typeof record['toolDenialKind'] === 'string') return 'refused'
  const { detail } = result
  if (typeof detail === 'string' && detail.startsWith('User rejected')) return 'refused'
  if (objectOf(detail)?.['interrupted'] === true) return 'stopped'
  return result.isError ? 'failed' : 'done'
}

/** How a call was allowed or refused; in a stream a line may have several. */
function decisionOn(part: Json, record: Json): Json | undefined {
  const metas = record['tool_result_meta']
  if (!Array.isArray(metas)) return objectOf(record['permissionDecision'])
  const mine = (metas as unknown[]).find((meta) => objectOf(meta)?.['id'] === part['tool_use_id'])
  return objectOf(objectOf(mine)?.['permission_decision'])
}

/** What a prompt's record says, and how it was entered. */
export function promptOf(record: Json): Pick<Prompt, 'blocks' | 'manner'> {
  const queued = queuedPrompt(record)
  const content =
    queued === null ? contentOf(record) : Array.isArray(queued) ? (queued as unknown[]) : [queued]
  const text = firstText(content)
  const command = text === null ? null : tagged(text, 'command-name')
  if (text !== null && command !== null) {
    const typed = `${command.trim()} ${(tagged(text, 'command-args') ?? '').trim()}`
    return { manner: 'command', blocks: [{ kind: 'text', text: typed.trim() }] }
  }
  const shell = text === null ? null : tagged(text, 'bash-input')
  if (shell !== null) return { manner: 'shell', blocks: [{ kind: 'text', text: shell }] }
  const blocks = content.flatMap((part) => {
    const block = blockOf(part, null)
    if (block?.kind !== 'text') return block ?? []
    const rest = cleaned(block.text)
    return rest === '' ? [] : { ...block, text: rest }
  })
  return { manner: queued === null ? (agentOf(record) === null ? 'typed' : 'agent') : 'queued', blocks }
}

/** A text without what the agent added for the model, and without the tags around pasted content. */
function cleaned(text: string): string {
  if (!text.includes('<')) return text
  return text
    .replaceAll(/<system-reminder>[\s\S]*?<\/system-reminder>\n?/g, '')
    .replaceAll(/<\/?pasted_content(?: [^>\n]*)?>\n?/g, '')
    .trim()
}

function noticeText(record: Json): string {
  const text = firstText(contentOf(record))
  if (text === null) return errorText(record)
  if (isTaskNotification(text)) return tagged(text, 'summary') ?? text
  const printed = ['local-command-stdout', 'local-command-stderr', 'bash-stdout', 'bash-stderr'].flatMap(
    (name) => tagged(text, name) ?? [],
  )
  return printed.length > 0 ? printed.filter((part) => part !== '').join('\n') : text
}

/** The message of a service error, in any of the shapes that it has. */
function errorText(record: Json): string {
  const error = objectOf(record['error'])
  const inner = objectOf(objectOf(error?.['error'])?.['error']) ?? objectOf(error?.['error']) ?? error
  return stringOf(inner?.['message']) ?? stringOf(record['error']) ?? ''
}

function firstText(parts: readonly unknown[]): string | null {
  for (const part of parts) {
    if (typeof part === 'string') return part
    const object = objectOf(part)
    if (object?.['type'] === 'text') return stringOf(object['text'])
  }
  return null
}
