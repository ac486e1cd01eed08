import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as wait } from 'node:timers/promises'
import { endProcessTree, familyOf, listProcesses } from '../platform/process-tree'

/** A process that was started here; `started` is what `startOfProcess` returned. */
export interface StartedTree {
  child: ChildProcess
  pid: number
  started: string | null
}

/**
 * Ends a process and everything it started. Its input is closed first, which asks such a program to end; whatever is
 * left after half of the grace period gets signals. Resolves when nothing is left.
 */
export async function endTree({ child, pid, started }: StartedTree, graceMs: number): Promise<void> {
  // Listed now: without sessions, nobody can tell later what an ended process had started.
  const family = familyOf(pid, await listProcesses())
  if (isAlive(child)) {
    child.stdin?.end()
    const rest = new AbortController()
    await Promise.race([
      once(child, 'exit', { signal: rest.signal }).catch(() => undefined),
      wait(graceMs / 2, undefined, { signal: rest.signal }).catch(() => undefined),
    ])
    rest.abort()
  }
  await Promise.all([
    endProcessTree(pid, graceMs / 2, started ?? undefined),
    ...family
      .filter((entry) => entry.pid !== pid)
      .map((entry) => endProcessTree(entry.pid, graceMs / 2, entry.started)),
  ])
}

export function isAlive(child: ChildProcess): boolean {
  return child.exitCode === null && child.signalCode === null
}
