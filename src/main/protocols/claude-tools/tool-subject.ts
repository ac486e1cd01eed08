import type { Question } from '../../../shared/approval/approval'
import type { Json } from '../../../shared/json'
import { readableInput } from './readable-input'
import type { CanUseTool } from './tool-wire'

/** What a tool is to be used for. */
export type ToolSubject = Pick<Question, 'kind' | 'title' | 'subject'>

/** The tools whose input is one thing in itself, by that member; what else in it matters is said beside. */
const plainTools: Readonly<Record<string, ToolSubject>> = {
  Bash: { kind: 'run', title: 'Run a command', subject: 'command' },
  PowerShell: { kind: 'run', title: 'Run a command', subject: 'command' },
  Monitor: { kind: 'run', title: 'Run a command and watch it', subject: 'command' },
  WebFetch: { kind: 'fetch', title: 'Fetch an address', subject: 'url' },
  WebSearch: { kind: 'other', title: 'Search the web', subject: 'query' },
  Read: { kind: 'other', title: 'Read a file', subject: 'file_path' },
}

/** What tools are called whose whole input is shown. A change comes here where it has no text to review. */
const titles: Readonly<Record<string, string>> = {
  Write: 'Write a file',
  Edit: 'Edit a file',
  MultiEdit: 'Edit a file',
  NotebookEdit: 'Edit a notebook',
  Agent: 'Start a sub-agent',
  Task: 'Start a sub-agent',
  Skill: 'Use a skill',
  EnterPlanMode: 'Plan before anything is changed',
}

/** What a request to use a tool asks, as text. */
export function toolSubject({ tool_name: tool, input, display_name: shown }: CanUseTool): ToolSubject {
  const found = Object.hasOwn(plainTools, tool) ? plainTools[tool] : undefined
  const subject = found && input[found.subject]
  if (found && typeof subject === 'string' && subject.trim() !== '') return { ...found, subject }
  return {
    kind: 'other',
    title: titleOf(tool, shown),
    subject: Object.keys(input).length === 0 ? tool : readableInput(input),
  }
}

/** What of the input isn't its subject and says more than how: the aim, and whatever lifts a limit. */
export function toolNotes({ tool_name: tool, input, description }: CanUseTool): string[] {
  const { subject } = toolSubject({ subtype: 'can_use_tool', tool_name: tool, input })
  const aim = description ?? textOf(input, 'description')
  const prompt = tool === 'WebFetch' ? textOf(input, 'prompt') : null
  return [
    aim === null || aim === subject || subject.includes(aim) ? null : aim,
    prompt,
    isUnboxed(input) ? 'It would run outside the sandbox.' : null,
    input['run_in_background'] === true ? 'It would run in the background.' : null,
  ].filter((note) => note !== null)
}

/** Whether a command asks to run outside the sandbox. */
export function isUnboxed(input: Json): boolean {
  return input['dangerouslyDisableSandbox'] === true
}

function titleOf(tool: string, shown: string | undefined): string {
  if (Object.hasOwn(titles, tool)) return titles[tool] ?? tool
  const [, server, name] = /^mcp__(.+?)__(.+)$/.exec(tool) ?? []
  if (server !== undefined && name !== undefined) return `Use ${name} of ${server}`
  return `Use ${shown ?? tool}`
}

function textOf(input: Json, member: string): string | null {
  const value = input[member]
  return typeof value === 'string' && value.trim() !== '' ? value : null
}
