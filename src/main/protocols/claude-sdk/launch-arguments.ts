import type { FieldValues } from '../../../shared/approval/approval-fields'
import type { GivenSystemPrompt } from './wire-messages'

/** What a conversation goes on from. */
export interface Resumption {
  /** The session's id. */
  session: string
  /** As a copy with an id of its own. */
  isFork: boolean
  /** Only up to this message of it, by its uuid; null for all of it. */
  upTo: string | null
}

/**
 * The arguments with which Claude Code speaks by lines and asks its questions there, for a form's values. Without
 * `--verbose` it refuses to start; its prompts come in its input.
 */
export function launchArguments(values: FieldValues, from: Resumption | null): string[] {
  const text = (id: string) => textOf(values, id)
  // In one word: what a person has typed cannot be taken for another option.
  const option = (name: string, value: string) => (value === '' ? [] : [`${name}=${value}`])
  const mode = text('permissionMode')
  const sessionId = text('sessionId')
  return [
    '-p',
    ...['--input-format', 'stream-json', '--output-format', 'stream-json', '--verbose'],
    ...['--permission-prompt-tool', 'stdio', '--include-partial-messages'],
    ...option('--model', text('model') === 'default' ? '' : text('model')),
    ...option('--permission-mode', mode),
    ...(mode === 'bypassPermissions' ? ['--allow-dangerously-skip-permissions'] : []),
    ...option('--effort', text('effort') === 'default' ? '' : text('effort')),
    ...listed('--allowedTools', rulesIn(text('allowedTools'))),
    ...listed('--disallowedTools', rulesIn(text('disallowedTools'))),
    ...listed('--add-dir', linesIn(text('folders'))),
    ...listed('--mcp-config', mcpConfigs(text('mcpConfig'))),
    ...option('--resume', from?.session ?? ''),
    ...(from?.isFork === true ? ['--fork-session'] : []),
    ...option('--resume-session-at', from?.upTo ?? ''),
    ...option('--session-id', from === null || from.isFork ? sessionId : ''),
  ]
}

/**
 * The system prompt of a form's values, as `initialize` takes it. It is no argument: every user of the computer can see a
 * program's arguments.
 */
export function systemPromptOf(values: FieldValues): GivenSystemPrompt {
  const prompt = textOf(values, 'systemPrompt')
  const mode = prompt === '' ? 'none' : textOf(values, 'systemPromptMode')
  if (mode === 'replace') return { systemPrompt: [prompt] }
  return mode === 'append' ? { appendSystemPrompt: prompt } : {}
}

/** What was filled in as a text. */
export function textOf(values: FieldValues, id: string): string {
  const value = values[id]
  return typeof value === 'string' ? value.trim() : ''
}

function listed(name: string, values: readonly string[]): string[] {
  return values.map((value) => `${name}=${value}`)
}

/** The lines that say something, without spaces around them. */
export function linesIn(text: string): string[] {
  return text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
}

/** Rules, one a line; also several in a line, where a comma or a space stands outside of brackets. */
export function rulesIn(text: string): string[] {
  return linesIn(text).flatMap((line) => line.match(/[^\s,(]+(?:\([^)]*\))?/g) ?? [])
}

/** A configuration itself, or paths of files that hold some, one a line. */
function mcpConfigs(text: string): string[] {
  return text.startsWith('{') ? [text] : linesIn(text)
}
