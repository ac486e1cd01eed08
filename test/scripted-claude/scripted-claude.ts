import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { processExists } from '../../src/main/core/platform/process-tree'

/** The command line that does what its prompt says. */
export const scriptedClaude = join(dirname(fileURLToPath(import.meta.url)), 'claude.mjs')

/** The ones that were started in a home and have not ended. */
export function runningClaudes(home: string): number[] {
  const started = join(home, 'started')
  const pids = existsSync(started) ? readFileSync(started, 'utf8').trim().split('\n').map(Number) : []
  return pids.filter(processExists)
}
