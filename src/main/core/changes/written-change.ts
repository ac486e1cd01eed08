import { basename } from 'node:path'
import { hashContent } from '../files/content-hash'
import type { BytesBefore } from './baseline'
import type { OnDisk } from './disk-bytes'
import type { WrittenChange } from './changes-ports'

/**
 * Describes files that were written together. A file that is gone and a new one with exactly the same content are a
 * rename: both say so, and come one after the other.
 */
export function describeWritten(
  written: readonly { path: string; before: BytesBefore; disk: OnDisk }[],
): Omit<WrittenChange, 'agent'>[] {
  const changes = written.flatMap(({ path, before, disk }): Omit<WrittenChange, 'agent'>[] => {
    if (disk.kind === 'other') return []
    const title = disk.kind === 'absent' ? 'Deleted' : before === null ? 'New file' : 'Changed'
    return [{ path, before, after: afterOf(disk), title }]
  })
  const gone = new Map<string, Omit<WrittenChange, 'agent'>>()
  for (const change of changes) {
    if (change.after === null && change.before instanceof Uint8Array && change.before.length > 0) {
      gone.set(hashContent(change.before), change)
    }
  }
  const told: Omit<WrittenChange, 'agent'>[] = []
  const renamed = new Set<Omit<WrittenChange, 'agent'>>()
  for (const change of changes) {
    if (change.before !== null || !(change.after instanceof Uint8Array)) continue
    const hash = hashContent(change.after)
    const old = gone.get(hash)
    if (!old) continue
    gone.delete(hash)
    renamed.add(old).add(change)
    told.push({ ...old, title: `Renamed to ${basename(change.path)}` })
    told.push({ ...change, title: `Renamed from ${basename(old.path)}` })
  }
  return [...changes.filter((change) => !renamed.has(change)), ...told]
}

function afterOf(disk: Exclude<OnDisk, { kind: 'other' }>): WrittenChange['after'] {
  switch (disk.kind) {
    case 'absent':
      return null
    case 'file':
      return disk.bytes
    case 'large':
      return { hash: disk.hash, size: disk.size }
  }
}
