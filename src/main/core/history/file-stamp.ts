import type { Stats } from 'node:fs'
import { stat } from 'node:fs/promises'
import { systemCode } from '../files/file-failure'

/** A file counts as unchanged while this is the same. */
export interface FileStamp {
  size: number
  /** Milliseconds since the epoch. */
  changedAt: number
  inode: number
}

/** Whether a file is unchanged, as far as that can be seen without reading it. */
export function isSameFile(a: FileStamp, b: FileStamp): boolean {
  return a.size === b.size && a.changedAt === b.changedAt && a.inode === b.inode
}

/** The current stamp of a file; null if there is none. */
export async function stampOf(path: string): Promise<FileStamp | null> {
  const found: Stats | null = await stat(path).catch((error: unknown) => {
    if (systemCode(error) === '') throw error
    return null
  })
  return found?.isFile() ? { size: found.size, changedAt: found.mtimeMs, inode: found.ino } : null
}

/** Whether there is something at a path. */
export async function exists(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  )
}
