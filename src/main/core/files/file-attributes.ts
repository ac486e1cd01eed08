import type { Stats } from 'node:fs'
import { stat } from 'node:fs/promises'
import { outputOf } from '../platform/child-process'
import { findProgram } from '../platform/programs'

/** How long the system's program may take, in milliseconds. */
const patience = 10_000

/**
 * Gives a new file what the one that it replaces has beside its content and permissions: its group, its ACL and its
 * extended attributes. `found` is the old one. False where it could not be given all of that. Node knows neither ACLs
 * nor attributes, so on Linux `cp` copies them; without one that can (BusyBox), and on other systems, they are lost.
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

/** A `cp` that copies attributes alone; null where there is none. Looked for once. */
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
