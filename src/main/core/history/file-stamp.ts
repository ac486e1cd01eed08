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

/** What was read from a file, and its stamp just before. */
export type StampedValue<T> = readonly [value: T, stamp: FileStamp | null]

/** Reads a file, unless it is as it was at the reading before, which is then given again. */
export async function readIfChanged<T>(
  path: string,
  read: (path: string) => Promise<T>,
  before?: StampedValue<T>,
): Promise<StampedValue<T>> {
  const stamp = await stampOf(path)
  return before?.[1] && stamp && isSameFile(before[1], stamp) ? before : [await read(path), stamp]
}

/** Whether there is something at a path. */
export async function exists(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  )
}
