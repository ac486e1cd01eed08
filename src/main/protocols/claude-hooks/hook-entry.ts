import type { HookEvent } from './hook-wire'

/** One hook as Claude Code reads it (measured with 2.1.330). */
export interface HookEntry {
  type: 'http'
  url: string
  /** In seconds. */
  timeout: number
  /** What a failure of the hook does to the tool. */
  onFailure: 'block' | 'continue'
  /** `$NAME` stands for a variable of the agent's environment, if it is named below. */
  headers: Record<string, string>
  allowedEnvVars: string[]
  /** What the terminal shows while it waits. */
  statusMessage?: string
}

/** The hooks of each event, by the tools that they are for; those of events without tools have no matcher. */
export type Hooks = Partial<Record<HookEvent, { matcher?: string; hooks: HookEntry[] }[]>>

/** The variables of a terminal by which its agents are let in. */
export const tokenVariable = 'GREENLIGHT_HOOK_TOKEN'
export const terminalVariable = 'GREENLIGHT_TERMINAL'

/** A person decides, a day at most. */
const forPerson = 86_400
/** So that a hung app holds nothing up for long. */
const forNotice = 2

const edits = 'Write|Edit|NotebookEdit|MultiEdit'
const runs = 'Bash|PowerShell|Monitor|mcp__.*'

/** The events about a turn, a session and its surroundings. */
const notices: readonly HookEvent[] = [
  ...(['UserPromptSubmit', 'Stop', 'StopFailure', 'SubagentStart', 'SubagentStop'] as const),
  ...(['SessionEnd', 'PermissionDenied', 'CwdChanged', 'ConfigChange'] as const),
]

/**
 * Every hook, each called at `url`. One entry that Claude Code doesn't understand drops all of them, without a word under
 * `-p`. Only a change of a file is blocked where the hook fails.
 */
export function hooksAt(url: string): Hooks {
  const entry = (timeout: number, onFailure: HookEntry['onFailure'], statusMessage?: string): HookEntry => ({
    ...{ type: 'http', url, timeout, onFailure },
    headers: {
      Authorization: `Bearer $${tokenVariable}`,
      'X-Greenlight-Terminal': `$${terminalVariable}`,
      'X-Greenlight-Parent': '$CLAUDE_PID',
    },
    allowedEnvVars: [tokenVariable, terminalVariable, 'CLAUDE_PID'],
    ...(statusMessage === undefined ? {} : { statusMessage }),
  })
  const notice = { hooks: [entry(forNotice, 'continue')] }
  const used = [{ matcher: `${edits}|${runs}|ExitPlanMode|AskUserQuestion`, ...notice }]
  return {
    PreToolUse: [
      { matcher: edits, hooks: [entry(forPerson, 'block', 'Reviewing in Greenlight')] },
      { matcher: runs, ...notice },
    ],
    PermissionRequest: [{ hooks: [entry(forPerson, 'continue')] }],
    PostToolUse: used,
    PostToolUseFailure: used,
    ...Object.fromEntries(notices.map((event) => [event, [notice]])),
  }
}

/** A plugin with these hooks: the text of each of its files, by its place in the plugin's folder. */
export function hookPlugin(url: string): Record<string, string> {
  const json = (value: object) => `${JSON.stringify(value, null, 2)}\n`
  return {
    '.claude-plugin/plugin.json': json({ name: 'greenlight', version: '1.0.0' }),
    'hooks/hooks.json': json({ hooks: hooksAt(url) }),
  }
}
