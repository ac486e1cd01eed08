/** Whether a session also proposes its changes over a connection; `unknown`: none of its processes is known. */
export type Link = 'linked' | 'unlinked' | 'unknown'

/** `linked` only where each process of the session holds such a connection: any of them may be the one that asks. */
export function linkOf(processes: readonly number[], proposing: ReadonlySet<number>): Link {
  if (processes.length === 0) return 'unknown'
  return processes.every((pid) => proposing.has(pid)) ? 'linked' : 'unlinked'
}
