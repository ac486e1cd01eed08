import { lstat } from 'node:fs/promises'
import { systemCode } from '../files/file-failure'
import { hashContent } from '../files/content-hash'
import { hashFile } from '../files/read-file'
import { withFile } from '../files/regular-file'
import { largest } from './snapshots'

/** What is at a path now: nothing, a file, a file too large to show, or something unreadable or not a file. */
export type OnDisk =
  | { kind: 'absent' }
  | { kind: 'file'; bytes: Buffer; hash: string }
  | { kind: 'large'; hash: string; size: number }
  | { kind: 'other' }

/** Reads a regular file; links aren't followed. Never throws a system error. */
export async function readDisk(path: string): Promise<OnDisk> {
  try {
    const found = await lstat(path)
    if (!found.isFile()) return { kind: 'other' }
    if (found.size > largest) return await readLarge(path, found.size)
    const bytes = await withFile(path, (file) => file.readFile(), { follow: false })
    if (bytes.length > largest) return { kind: 'large', hash: hashContent(bytes), size: bytes.length }
    return { kind: 'file', bytes, hash: hashContent(bytes) }
  } catch (error) {
    const code = systemCode(error)
    if (code === '') throw error
    return code === 'ENOENT' || code === 'ENOTDIR' ? { kind: 'absent' } : { kind: 'other' }
  }
}

/** Null if the file is gone, undefined if it isn't a readable file. */
export function diskHashOf(disk: OnDisk): string | null | undefined {
  if (disk.kind === 'other') return undefined
  return disk.kind === 'absent' ? null : disk.hash
}

async function readLarge(path: string, size: number): Promise<OnDisk> {
  const hash = await hashFile(path)
  if (!hash.ok) return { kind: 'other' }
  return hash.value === null ? { kind: 'absent' } : { kind: 'large', hash: hash.value, size }
}
