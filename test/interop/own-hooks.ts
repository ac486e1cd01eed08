import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { ClaudeInApp } from './claude-in-app'

/** What both scripts know: the tool's input, its path, and how to answer PreToolUse. */
const known = `
  const { tool_input: input } = JSON.parse(require('node:fs').readFileSync(0, 'utf8'))
  const path = input.file_path ?? input.notebook_path
  const answer = (updatedInput) =>
    console.log(
      JSON.stringify({
        hookSpecificOutput: { hookEventName: 'PreToolUse', permissionDecision: 'allow', updatedInput },
      }),
    )
  const refuse = (why) => {
    console.error(why)
    process.exitCode = 2
  }
`

/**
 * Gives the person hooks of their own for each tool that edits, as scripts for Node that run `before` and `after` it, and
 * rules for permissions. After `gateIn`, whose settings are kept, and before the host starts.
 */
export function useOwnHooks(
  claude: ClaudeInApp,
  { before, after, permissions = {} }: { before?: string; after?: string; permissions?: object },
): void {
  const hookOf = (name: string, script: string | undefined) => {
    if (script === undefined) return []
    const file = join(claude.place.root, `${name}.cjs`)
    writeFileSync(file, `${known}\n${script}`)
    const hook = { type: 'command', command: `"${process.execPath}" "${file}"` }
    return [{ matcher: 'Edit|Write|NotebookEdit', hooks: [hook] }]
  }
  const settings = join(claude.place.config, 'settings.json')
  const kept = JSON.parse(readFileSync(settings, 'utf8')) as object
  const hooks = { PreToolUse: hookOf('before', before), PostToolUse: hookOf('after', after) }
  writeFileSync(settings, JSON.stringify({ ...kept, permissions, hooks }))
}
