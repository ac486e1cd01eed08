import { constants } from 'node:fs'
import { access } from 'node:fs/promises'

/** For files that hold a token, a draft or a person's unsaved text: read and written by their owner only. */
export const privateFileMode = 0o600
/** For folders of such files. */
export const privateFolderMode = 0o700

/** The part of a file's mode that a replacement has to keep: permissions, and the set-id and sticky bits. */
export function permissionsOf(mode: number): number {
  return mode & 0o7777
}

/**
 * Whether a file is read-only. A file without any write permission counts as read-only even for root, who could write
 * it: its owner meant it to be. On Windows, Node shows the read-only attribute in the same bits.
 */
export async function isReadOnly(path: string, mode: number): Promise<boolean> {
  return (mode & 0o222) === 0 || !(await isAllowed(path, constants.W_OK))
}

/** Whether files can be created in a folder and removed from it. */
export async function isWritableFolder(path: string): Promise<boolean> {
  return isAllowed(path, constants.W_OK | constants.X_OK)
}

/** Whether a file belongs to another user, so that a replacement would change its owner. Never on Windows. */
export function isForeign(owner: number): boolean {
  return process.getuid !== undefined && owner !== process.getuid()
}

async function isAllowed(path: string, mode: number): Promise<boolean> {
  try {
    await access(path, mode)
    return true
  } catch {
    return false
  }
}
