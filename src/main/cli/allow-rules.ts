import type { RuleWords } from '../../shared/approval/approval'
import { problemOfPattern } from '../../shared/approval/approval-rule'
import { type Result, fail, succeed } from '../../shared/result'

/** What `--allow` lets an agent do without being asked: by rules, and by patterns of paths in the folder. */
export interface Allowed {
  rules: RuleWords[]
  edits: string[]
}

const forms = 'run:COMMAND, fetch:ADDRESS, use:TOOL:WHAT or edit:FILE'

/** Reads the rules of `--allow`, each for a folder and any agent. Fails with a sentence that names the wrong one. */
export function readAllowed(words: readonly string[], folder: string): Result<Allowed> {
  const allowed: Allowed = { rules: [], edits: [] }
  for (const word of words) {
    const [, kind, rest = ''] = /^(run|fetch|use|edit):([^]*)$/.exec(word) ?? []
    const [, tool, what] = (kind === 'use' && /^([^:\s]+):([^]+)$/.exec(rest)) || []
    const pattern = kind === 'use' ? (what ?? '') : rest
    const ruled = kind === 'run' || kind === 'fetch' ? kind : 'other'
    if (kind === undefined || problemOfPattern(ruled, pattern) !== null) {
      return fail('invalid', `--allow takes ${forms}, where * stands for anything plain; not "${word}".`)
    }
    if (kind === 'edit') allowed.edits.push(pattern)
    else
      allowed.rules.push({ answer: 'allow', kind: ruled, agent: null, tool: tool ?? null, pattern, folder })
  }
  return succeed(allowed)
}
