import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { putOnPath } from '../program-on-path'
import { scriptedClaude } from './scripted-claude'
import type { Place } from '../e2e/running-host'

/** Has the scripted command line stand in for Claude Code for all that is started in a place; gives that environment. */
export function putClaudeOnPath(place: Place): Record<string, string> {
  const bin = join(place.base, 'bin')
  putOnPath(bin, 'claude', scriptedClaude)
  // The app too looks for it there.
  const { PATH = '' } = place.env()
  const env = place.env({ PATH: `${bin}:${PATH}` })
  place.env = (more) => ({ ...env, ...more })
  return env
}

/** Has the person trust these folders, and no others. */
export function trustFolders(place: Place, folders: readonly string[]): void {
  mkdirSync(place.data, { recursive: true })
  writeFileSync(
    join(place.data, 'trusted-folders.json'),
    JSON.stringify({ version: 1, folders: folders.map((path) => ({ path, mayRun: true })) }),
  )
}
