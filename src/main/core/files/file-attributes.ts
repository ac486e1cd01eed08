import type { Stats } from 'node:fs'
import { stat } from 'node:fs/promises'
import { outputOf } from '../platform/child-process'
import { findProgram } from '../platform/programs'

/** How long `cp` may take, in milliseconds. */
const patience = 10_000

/**
 * Gives a new file the group, ACL and extended attributes of the one it replaces. `found`: the old file. False if not
 * all of that was possible. Node supports neither ACLs nor attributes, so on Linux `cp` copies them; where `cp` can't
 * (BusyBox), and on other systems, they are lost.
 */
export async function copyAttributes(from: string, to: string, found: Stats): Promise<boolean> {
  if (process.platform === 'win32') return true
  const copier = process.platform === 'linux' ? await findCopier() : null
  if (copier !== null) {
    const args = ['--attributes-only', '--preserve=mode,ownership,xattr', '--', from, to]
    if ((await outputOf(copier, args, { timeout: patience })).hasFailed) return false
  }
  const made = await stat(to)
  return made.uid === found.uid && made.gid === found.gid
}

let copier: Promise<string | null> | undefined

/** A `cp` that can copy attributes only; null if there is none. Looked for once. */
function findCopier(): Promise<string | null> {
  copier ??= look()
  return copier
}

async function look(): Promise<string | null> {
  const program = findProgram('cp', { platform: process.platform, env: process.env })
  if (program === null) return null
  const { output } = await outputOf(program, ['--help'], { timeout: patience })
  return output.includes('--attributes-only') && output.includes('xattr') ? program : null
}
