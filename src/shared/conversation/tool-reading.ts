import { type Json, numberOf, objectOf, stringOf } from '../json'
import { readBegun } from './begun-json'
import { readFileChange, type FileChange } from './tool-change'
import { textOf, type ToolCall } from './transcript'

/** One entry of an agent's to-do list. */
export interface Todo {
  text: string
  state: 'pending' | 'active' | 'done'
}

/** A question that an agent asked the person, with its options. */
export interface AskedQuestion {
  question: string
  options: readonly string[]
  /** Null if unanswered, or if the answer wasn't recorded. */
  answer: string | null
}

/** What a tool was asked and its result, by kind. All texts are as the agent wrote them. */
export type ToolBody =
  | {
      kind: 'run'
      command: string
      /** May contain terminal escape sequences. */
      output: string
      errors: string
      inBackground: boolean
    }
  | { kind: 'edit'; change: FileChange }
  | { kind: 'read'; text: string; firstLine: number; totalLines: number | null }
  /** `files`: how many were found; null if unknown. */
  | { kind: 'search'; text: string; files: number | null }
  | { kind: 'task'; prompt: string; type: string; text: string }
  /** `todos`: null if the plan is a text. */
  | { kind: 'plan'; text: string; todos: readonly Todo[] | null }
  | { kind: 'think'; text: string }
  /** `text` may be Markdown. */
  | { kind: 'fetch'; url: string | null; prompt: string; text: string }
  | { kind: 'ask'; questions: readonly AskedQuestion[] }
  | { kind: 'other'; input: unknown; text: string }
  /** The agent is still writing what it asks for: the JSON until now. */
  | { kind: 'begun'; text: string }

/** A tool as it is shown. */
export interface ToolReading {
  /** Its name for the person. */
  name: string
  /** What it was about, on one line; may be empty. */
  subject: string
  /** The one file that it was about, and a line in it, counted from 1. */
  path: string | null
  line: number | null
  body: ToolBody
}

const longestSubject = 300

/** Reads a tool's input and result. Nothing is required: an unknown shape is shown as it came. */
export function readTool(call: ToolCall): ToolReading {
  const isBegun = typeof call.input === 'string'
  const input = isBegun ? readBegun(call.input as string) : (objectOf(call.input) ?? {})
  const body = readBody(isBegun ? { ...call, input } : call, input)
  const path = pathOf(input, body)
  return {
    name: call.title,
    subject: oneLine(subjectOf(input, body, path)),
    path,
    line: isBegun ? null : lineOf(body),
    body: isBegun ? { kind: 'begun', text: call.input as string } : body,
  }
}

function readBody(call: ToolCall, input: Json): ToolBody {
  const detail = objectOf(call.result?.detail)
  const text = call.result ? textOf(call.result.content) : ''
  const change = readFileChange(call)
  if (change) return { kind: 'edit', change }
  switch (call.kind) {
    case 'run':
      return commandBody(input, detail, text)
    case 'read':
      return fileBody(input, detail, text)
    case 'search':
      return { kind: 'search', text: searchText(detail, text), files: numberOf(detail?.['numFiles']) }
    case 'task':
      return {
        kind: 'task',
        prompt: stringOf(input['prompt']) ?? '',
        type: stringOf(input['subagent_type']) ?? '',
        text: agentText(detail, text),
      }
    case 'fetch':
      return { kind: 'fetch', url: stringOf(input['url']), prompt: stringOf(input['prompt']) ?? '', text }
    case 'plan':
      return planBody(call, input, detail, text)
    case 'ask':
      return questionsBody(call, input, detail, text)
    case 'think':
      return { kind: 'think', text: stringOf(input['thought']) ?? text }
    // An edit gets here if it isn't known to have changed a file's text.
    case 'edit':
    case 'other':
      return { kind: 'other', input: call.input, text }
  }
}

/**
 * A sub-agent's answer. The result itself is written for the model: with notes around the answer, or, from a background
 * sub-agent, without any answer (measured with 2.1.330).
 */
function agentText(detail: Json | undefined, text: string): string {
  if (detail?.['status'] === 'async_launched') return ''
  const parts = detail?.['content']
  if (!Array.isArray(parts)) return text
  const first = numberOf(detail?.['harnessNoteCount']) ?? 0
  const last = parts.length - (numberOf(detail?.['harnessTailCount']) ?? 0)
  const texts = (parts as unknown[])
    .slice(first, last)
    .flatMap((part) => stringOf(objectOf(part)?.['text']) ?? [])
  return texts.length > 0 ? texts.join('\n') : text
}

function commandBody(input: Json, detail: Json | undefined, text: string): ToolBody {
  const [output, errors] = [stringOf(detail?.['stdout']), stringOf(detail?.['stderr'])]
  return {
    kind: 'run',
    command: stringOf(input['command']) ?? '',
    output: output ?? (errors === null ? text : ''),
    errors: errors ?? '',
    inBackground: input['run_in_background'] === true,
  }
}

function fileBody(input: Json, detail: Json | undefined, text: string): ToolBody {
  const file = objectOf(detail?.['file'])
  const content = stringOf(file?.['content'])
  return {
    kind: 'read',
    text: content ?? withoutNumbers(text),
    firstLine: numberOf(file?.['startLine']) ?? numberOf(input['offset']) ?? 1,
    totalLines: numberOf(file?.['totalLines']),
  }
}

/** Removes the line numbers that the model is shown. */
function withoutNumbers(text: string): string {
  const lines = text.split('\n')
  return /^\s*\d+[→\t]/.test(lines[0] ?? '')
    ? lines.map((line) => line.replace(/^\s*\d+[→\t]/, '')).join('\n')
    : text
}

function searchText(detail: Json | undefined, text: string): string {
  if (text !== '') return text
  const names = detail?.['filenames']
  return Array.isArray(names)
    ? (names as unknown[]).filter((name) => typeof name === 'string').join('\n')
    : ''
}

function planBody(call: ToolCall, input: Json, detail: Json | undefined, text: string): ToolBody {
  const list = input['todos']
  if (!Array.isArray(list)) {
    const plan = stringOf(input['plan']) ?? stringOf(detail?.['plan'])
    return plan === null
      ? { kind: 'other', input: call.input, text }
      : { kind: 'plan', text: plan, todos: null }
  }
  const todos = (list as unknown[]).flatMap((value): Todo[] => {
    const todo = objectOf(value)
    const words = stringOf(todo?.['content']) ?? stringOf(todo?.['subject'])
    if (words === null) return []
    const status = todo?.['status']
    const state = status === 'completed' ? 'done' : status === 'in_progress' ? 'active' : 'pending'
    return [{ text: words, state }]
  })
  return { kind: 'plan', text: '', todos }
}

function questionsBody(call: ToolCall, input: Json, detail: Json | undefined, text: string): ToolBody {
  const list = input['questions']
  if (!Array.isArray(list)) return { kind: 'other', input: call.input, text }
  const answers = objectOf(detail?.['answers']) ?? objectOf(input['answers'])
  const questions = (list as unknown[]).flatMap((value): AskedQuestion[] => {
    const asked = objectOf(value)
    const question = stringOf(asked?.['question'])
    if (question === null) return []
    const options = Array.isArray(asked?.['options']) ? (asked['options'] as unknown[]) : []
    return [
      {
        question,
        options: options.flatMap((option) => stringOf(objectOf(option)?.['label']) ?? stringOf(option) ?? []),
        answer: stringOf(answers?.[question]),
      },
    ]
  })
  return { kind: 'ask', questions }
}

function pathOf(input: Json, body: ToolBody): string | null {
  if (body.kind === 'edit') return body.change.path
  const named = stringOf(input['file_path']) ?? stringOf(input['notebook_path'])
  return named ?? (body.kind === 'read' ? stringOf(input['path']) : null)
}

function lineOf(body: ToolBody): number | null {
  if (body.kind === 'read') return body.firstLine > 1 ? body.firstLine : null
  return body.kind === 'edit' ? (body.change.parts[0]?.line ?? null) : null
}

/** The inputs that say most about an unknown tool's call, best first. */
const telling = [
  'description',
  'command',
  'query',
  'pattern',
  'url',
  'path',
  'prompt',
  'subject',
  'name',
  'skill',
  'title',
]

function subjectOf(input: Json, body: ToolBody, path: string | null): string {
  switch (body.kind) {
    case 'run':
      return body.command
    case 'search': {
      const where = stringOf(input['path']) ?? stringOf(input['glob'])
      const pattern = stringOf(input['pattern']) ?? stringOf(input['query'])
      if (pattern === null) return where ?? ''
      return where === null ? pattern : `${pattern} in ${where}`
    }
    case 'task':
      return stringOf(input['description']) ?? body.prompt
    case 'plan': {
      if (body.todos === null) return body.text.replace(/^#+\s*/, '')
      const done = body.todos.filter(({ state }) => state === 'done').length
      return `${done} of ${body.todos.length} done`
    }
    case 'fetch':
      return body.url ?? stringOf(input['query']) ?? ''
    case 'think':
      return body.text
    case 'ask':
      return body.questions[0]?.question ?? ''
    default: {
      if (path !== null) return path
      for (const key of telling) {
        const value = stringOf(input[key])
        if (value !== null && value.trim() !== '') return value
      }
      return ''
    }
  }
}

function oneLine(text: string): string {
  const line =
    text
      .trim()
      .slice(0, longestSubject * 2)
      .split('\n', 1)[0]
      ?.trim() ?? ''
  return line.length > longestSubject ? `${line.slice(0, longestSubject)}…` : line
}
