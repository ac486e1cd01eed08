import { diffLines } from '../text/line-diff'
import { stringOf } from '../json'
import { linesOf } from './tool-change'
import { readTool } from './tool-reading'
import { type Block, type Item, type SessionFacts, type ToolCall, speakerOf } from './transcript'

export interface ExportOptions {
  /** The agent's name: "Claude". */
  agent: string
  facts: SessionFacts
  /** The items of a sub-agent (`ToolCall.agent`); absent: without sub-agents. */
  agentItems?: (agent: string) => readonly Item[]
}

/**
 * A conversation as Markdown, in pieces to be joined: who said what and when, and tools with their inputs and results.
 * The agent's texts are Markdown already; everything else is in fences that nothing inside can close.
 */
export function* exportMarkdown(items: Iterable<Item>, options: ExportOptions): Generator<string> {
  const { facts } = options
  yield `# ${oneLine(facts.title ?? 'Conversation')}\n\n`
  const known: readonly (readonly [string, string | null])[] = [
    ['Session', facts.sessionId],
    ['Folder', facts.folder],
    ['Branch', facts.branch],
    ['Model', facts.model],
  ]
  const told = known.flatMap(([name, value]) => (value === null ? [] : `- ${name}: ${asCode(value)}\n`))
  if (told.length > 0) yield `${told.join('')}\n`
  yield* exportItems(items, options, 2)
}

function* exportItems(items: Iterable<Item>, options: ExportOptions, depth: number): Generator<string> {
  let speaker: string | null = null
  for (const item of items) {
    const now = speakerOf(item, options.agent)
    if (now !== speaker || item.kind === 'prompt') {
      yield `${'#'.repeat(Math.min(6, depth))} ${now}${item.at === null ? '' : ` · ${exactTime(item.at)}`}\n\n`
      speaker = now
    }
    if (item.kind === 'notice') yield notice(item.what, item.text)
    else for (const block of item.blocks) yield* exportBlock(block, options, depth)
  }
}

function notice(what: string, text: string): string {
  const words: Record<string, string> = {
    compacted: 'The conversation was compacted.',
    interrupted: 'Interrupted.',
    error: 'Error.',
    output: 'Output:',
  }
  const title = words[what]
  const isSaid = text.trim() === '' || what === 'interrupted'
  return `${title === undefined ? '' : `*${title}*\n\n`}${isSaid ? '' : fence(text)}`
}

function* exportBlock(block: Block, options: ExportOptions, depth: number): Generator<string> {
  switch (block.kind) {
    case 'text':
      yield `${block.text.trim()}\n\n`
      return
    case 'thinking':
      if (block.text.trim() !== '') yield `*Thinking:*\n\n${fence(block.text)}`
      return
    case 'tool':
      yield* exportTool(block.call, options, depth)
      return
    case 'image':
      yield block.url === null
        ? `*Picture (${oneLine(block.mediaType)})*\n\n`
        : `*Picture:* ${asCode(block.url)}\n\n`
      return
    case 'document':
      yield `*Document:* ${asCode(block.title === '' ? block.mediaType : block.title)}\n\n`
      return
    case 'other':
      yield fence(json(block.value), 'json')
  }
}

const states: Record<ToolCall['state'], string> = {
  open: ' (no result)',
  done: '',
  failed: ' (failed)',
  refused: ' (refused)',
  stopped: ' (stopped)',
}

function* exportTool(call: ToolCall, options: ExportOptions, depth: number): Generator<string> {
  const { name, subject, body } = readTool(call)
  yield `**${oneLine(name)}**${subject === '' ? '' : ` ${asCode(subject)}`}${states[call.state]}\n\n`
  switch (body.kind) {
    case 'run':
      if (body.command.includes('\n')) yield fence(body.command, 'sh')
      if (body.output !== '') yield fence(withoutEscapes(body.output))
      if (body.errors !== '') yield fence(withoutEscapes(body.errors))
      break
    case 'edit':
      for (const part of body.change.parts) yield fence(asDiff(part.before, part.after), 'diff')
      break
    case 'plan':
      if (body.todos === null) {
        yield `${body.text.trim()}\n\n`
        break
      }
      yield `${body.todos.map(({ text, state }) => `- [${state === 'done' ? 'x' : ' '}] ${oneLine(text)}\n`).join('')}\n`
      break
    case 'ask':
      for (const { question, answer } of body.questions)
        yield `- ${oneLine(question)}${answer === null ? '' : ` **${oneLine(answer)}**`}\n`
      yield '\n'
      break
    case 'task': {
      if (body.prompt !== '') yield fence(body.prompt)
      const said = call.agent === null ? [] : (options.agentItems?.(call.agent) ?? [])
      if (said.length > 0) yield* exportItems(said, options, depth + 1)
      else if (body.text !== '') yield fence(body.text)
      break
    }
    case 'other':
      yield fence(json(body.input), 'json')
      if (body.text !== '') yield fence(body.text)
      break
    case 'read':
    case 'search':
    case 'think':
    case 'fetch':
    case 'begun':
      if (body.text !== '') yield fence(body.text)
  }
  if (body.kind !== 'run' && call.result?.isError === true) {
    const said = call.result.content.flatMap((block) => (block.kind === 'text' ? block.text : []))
    if (said.length > 0 && body.kind !== 'other') yield fence(said.join('\n'))
  }
}

/** A file name for an export, from its title; it has no characters that are special in a file system. */
export function exportName(title: string | null, ending: 'md' | 'jsonl'): string {
  const plain = (title ?? '')
    .normalize('NFC')
    .replaceAll(/[^\p{L}\p{N} _-]+/gu, ' ')
    .trim()
    .replaceAll(/\s+/g, '-')
    .slice(0, 80)
    .replaceAll(/^-+|-+$/g, '')
  return `${plain === '' ? 'conversation' : plain}.${ending}`
}

/** A block of code whose fence is longer than any inside. */
function fence(text: string, language = ''): string {
  const longest = Math.max(2, ...[...text.matchAll(/`{3,}/g)].map(([ticks]) => ticks.length))
  const marks = '`'.repeat(longest + 1)
  return `${marks}${language}\n${text.replace(/\n+$/, '')}\n${marks}\n\n`
}

function asCode(text: string): string {
  const line = oneLine(text)
  const longest = Math.max(0, ...[...line.matchAll(/`+/g)].map(([ticks]) => ticks.length))
  const marks = '`'.repeat(longest + 1)
  const room = line.startsWith('`') || line.endsWith('`') ? ' ' : ''
  return `${marks}${room}${line}${room}${marks}`
}

/** Both texts line by line, as in a patch. */
function asDiff(before: string, after: string): string {
  const old = linesOf(before)
  const made = linesOf(after)
  const shown: string[] = []
  let at = 0
  for (const { fromA, toA, fromB, toB } of diffLines(old, made)) {
    shown.push(...old.slice(at, fromA).map((line) => ` ${line}`))
    shown.push(...old.slice(fromA, toA).map((line) => `-${line}`))
    shown.push(...made.slice(fromB, toB).map((line) => `+${line}`))
    at = toA
  }
  return [...shown, ...old.slice(at).map((line) => ` ${line}`)].join('\n')
}

function oneLine(text: string): string {
  return text.replaceAll(/\s+/g, ' ').trim()
}

function withoutEscapes(text: string): string {
  return text.replaceAll(/\u001b(?:\[[0-?]*[ -/]*[@-~]|\][^\u0007\u001b]*(?:\u0007|\u001b\\)|[@-Z\\-_])/g, '')
}

function json(value: unknown): string {
  return stringOf(value) ?? JSON.stringify(value, null, 2) ?? ''
}

function exactTime(at: number): string {
  return new Date(at).toISOString().slice(0, 16).replace('T', ' ')
}
