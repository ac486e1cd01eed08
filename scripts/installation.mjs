import { statSync } from 'node:fs'
import { join } from 'node:path'
import { root, runNpm, say } from './programs.mjs'

/** Whether node_modules is there and not older than what package-lock.json asks for. */
export function isInstalled() {
  const asked = statSync(join(root, 'package-lock.json'), { throwIfNoEntry: false })
  const done = statSync(join(root, 'node_modules', '.package-lock.json'), { throwIfNoEntry: false })
  return done !== undefined && (asked === undefined || done.mtimeMs >= asked.mtimeMs)
}

/**
 * Installs what package-lock.json names, where that has not been done. No dependency needs an install script, so none
 * is run. Ends the process where it fails.
 */
export async function ensureInstalled() {
  if (isInstalled()) return
  say('Installing dependencies with npm ci. The first time takes a minute or two.')
  const code = await runNpm([
    'ci',
    '--include=dev',
    '--ignore-scripts',
    '--no-audit',
    '--no-fund',
    '--loglevel=error',
  ])
  if (code === 0) return
  say(
    'The dependencies could not be installed; npm says why above. Mend that (often the network) and start again.',
  )
  process.exit(1)
}
