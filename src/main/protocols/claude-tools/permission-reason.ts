import { toolNotes } from './tool-subject'
import type { CanUseTool } from './tool-wire'

/** Why a request to use a tool is put to the person, a sentence to a line; null if nothing says so. */
export function reasonOf(request: CanUseTool): string | null {
  const rule = request.matched_ask_rule
  const lines = [
    ...toolNotes(request),
    withoutAnsi(request.decision_reason ?? ''),
    rule && `A rule in ${sourceWords(rule.source)} asks: ${ruleText(rule.tool_name, rule.rule_content)}.`,
    rule ? null : typeWords(request),
    request.agent_id === undefined ? null : 'Asked by a sub-agent.',
  ]
  const said = [...new Set(lines.filter((line) => line !== null && line !== undefined && line !== ''))]
  return said.length === 0 ? null : said.join('\n')
}

/** A rule of the agent's, as it is written in its settings. */
export function ruleText(tool: string, content: string | undefined): string {
  return content === undefined ? tool : `${tool}(${content})`
}

const sources: Readonly<Record<string, string>> = {
  userSettings: 'your settings of Claude Code',
  projectSettings: 'the project’s settings',
  localSettings: 'your settings for this project',
  policySettings: 'your organization’s settings',
  flagSettings: 'the settings it was started with',
  cliArg: 'what it was started with',
  command: 'a command',
  session: 'this session',
}

/** Where a rule of the agent's is kept. */
export function sourceWords(source: string): string {
  return (Object.hasOwn(sources, source) ? sources[source] : undefined) ?? source
}

/** The kinds of reasons in words; those that are missing say nothing beyond their text. */
const types: Readonly<Record<string, string>> = {
  mode: 'The permission mode asks about this.',
  subcommandResults: 'A part of the command needs your permission.',
  hook: 'A hook asks about this.',
  asyncAgent: 'An agent in the background asks.',
  sandboxOverride: 'It would run outside the sandbox.',
  workingDir: 'It reaches outside the folders of this conversation.',
  safetyCheck: 'The safety check wants a person to look at this.',
  classifier: 'The automatic check did not let this pass.',
}

function typeWords({ decision_reason_type: type, ...request }: CanUseTool): string | null {
  if (type === undefined) return null
  if (type === 'rule') {
    const source = request['decision_reason_rule_source']
    return `A rule in ${typeof source === 'string' ? sourceWords(source) : 'the settings'} asks about this.`
  }
  return (Object.hasOwn(types, type) ? types[type] : undefined) ?? null
}

/** A text without what would colour or move it in a terminal. */
export function withoutAnsi(text: string): string {
  return text
    .replace(
      /[\u001b\u009b](?:\[[0-?]*[ -/]*[@-~]|\][^\u0007\u001b]*(?:\u0007|\u001b\\)|[()#][ -~]|[ -~])/g,
      '',
    )
    .trim()
}
