import type { ToolKind } from './transcript'

/** The kinds of Claude Code's own tools, by name. */
const kinds = new Map<string, ToolKind>([
  ...['Bash', 'PowerShell', 'Shell'].map((name) => [name, 'run'] as const),
  ...['Read', 'NotebookRead'].map((name) => [name, 'read'] as const),
  ...['Edit', 'MultiEdit', 'Write', 'NotebookEdit'].map((name) => [name, 'edit'] as const),
  ...['Grep', 'Glob', 'LS'].map((name) => [name, 'search'] as const),
  ...['WebFetch', 'WebSearch'].map((name) => [name, 'fetch'] as const),
  ...['TodoWrite', 'ExitPlanMode'].map((name) => [name, 'plan'] as const),
  ...['Task', 'Agent'].map((name) => [name, 'task'] as const),
  ['AskUserQuestion', 'ask'],
])

/** What a tool of Claude Code does; `other` for tools of MCP servers. */
export function claudeToolKind(name: string): ToolKind {
  return kinds.get(name) ?? 'other'
}

/** A tool's name for the person: `mcp__github__get_issue` is "get issue (github)". */
export function claudeToolTitle(name: string): string {
  const served = /^mcp__(.+?)__(.+)$/.exec(name)
  if (served) return `${(served[2] ?? '').replaceAll('_', ' ')} (${served[1] ?? ''})`
  return name === '' ? 'Tool' : name
}
