import { randomBytes } from 'node:crypto'
import { closeSync, fchmodSync, fsyncSync, openSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { link, lstat, open, rename, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { privateFileMode } from './file-modes'

export interface ReplaceOptions {
  /** Permissions of the new file. By default only its owner's; `'default'` means the system's default. */
  mode?: number | 'default'
  /** Called with the temporary file's path once the new content is flushed. If false, the old content stays. */
  prepare?: (temporary: string) => Promise<boolean>
  /** Called last, right before the file is replaced, with nothing in between. If false, the old content stays. */
  isWanted?: () => boolean
  /** Throws `EEXIST` if a file exists, even one that appears at the last moment. */
  exclusive?: boolean
}

/**
 * Replaces a file in one step, or creates it: readers find the old content or the new, even after a power failure. The
 * new content is written to a temporary file in the same folder, flushed, and renamed over it; then the folder is
 * flushed. False if `prepare` or `isWanted` refused. Throws if the system refuses; then the old content is there and no
 * temporary file.
 */
export async function replaceFile(
  path: string,
  content: string | Uint8Array,
  { mode = privateFileMode, prepare, isWanted, exclusive = false }: ReplaceOptions = {},
): Promise<boolean> {
  const temporary = temporaryBeside(path)
  try {
    const handle = await open(temporary, 'wx', mode === 'default' ? 0o666 : privateFileMode)
    try {
      await handle.writeFile(content)
      // Set here because `open` would mask bits off, and only once the content is written.
      if (mode !== 'default') await handle.chmod(mode)
      await handle.sync()
    } finally {
      await handle.close()
    }
    if (prepare && !(await prepare(temporary))) return false
    if (isWanted) {
      if (!isWanted()) return false
      renameSync(temporary, path)
    } else if (exclusive) await linkOver(temporary, path)
    else await renameOver(temporary, path)
    await flushFolder(dirname(path))
    return true
  } finally {
    await rm(temporary, { force: true })
  }
}

/** The same synchronously, readable by its owner only: for small files that are read again immediately. */
export function replaceFileAtOnce(path: string, content: string): void {
  const temporary = temporaryBeside(path)
  try {
    const file = openSync(temporary, 'wx', privateFileMode)
    try {
      writeFileSync(file, content)
      fchmodSync(file, privateFileMode)
      fsyncSync(file)
    } finally {
      closeSync(file)
    }
    renameSync(temporary, path)
    flushFolderAtOnce(dirname(path))
  } finally {
    rmSync(temporary, { force: true })
  }
}

/** Whether a file name is one of our temporary files, which lists and watchers leave out. */
export function isTemporaryName(name: string): boolean {
  return /^\.greenlight-[0-9a-f]{16}\.tmp$/.test(name)
}

/**
 * How long to wait before trying a refused rename again, in milliseconds, or undefined to give up. On Windows a virus
 * scanner or an indexer may hold a file open for a moment; `attempt` counts from 0. About 2 s in all.
 */
export function retryDelay(attempt: number, code: string, platform: NodeJS.Platform): number | undefined {
  if (platform !== 'win32' || !['EPERM', 'EBUSY', 'EACCES'].includes(code)) return undefined
  return attempt < 8 ? Math.min(10 * 2 ** attempt, 500) : undefined
}

/** Makes renames in a folder survive a power failure, on systems that can open a folder (not Windows). */
export async function flushFolder(path: string): Promise<void> {
  try {
    const handle = await open(path, 'r')
    try {
      await handle.sync()
    } finally {
      await handle.close()
    }
  } catch (error) {
    if (codeOf(error) === '') throw error
  }
}

function flushFolderAtOnce(path: string): void {
  try {
    const folder = openSync(path, 'r')
    try {
      fsyncSync(folder)
    } finally {
      closeSync(folder)
    }
  } catch (error) {
    if (codeOf(error) === '') throw error
  }
}

function temporaryBeside(path: string): string {
  return join(dirname(path), `.greenlight-${randomBytes(8).toString('hex')}.tmp`)
}

async function renameOver(from: string, to: string): Promise<void> {
  for (let attempt = 0; ; attempt++) {
    try {
      await rename(from, to)
      return
    } catch (error) {
      const delay = retryDelay(attempt, codeOf(error), process.platform)
      if (delay === undefined) throw error
      await wait(delay)
    }
  }
}

/** A hard link fails if a file exists, but a rename doesn't; file systems without links get a check and a rename. */
async function linkOver(from: string, to: string): Promise<void> {
  try {
    await link(from, to)
  } catch (error) {
    if (!['EPERM', 'ENOTSUP', 'ENOSYS', 'EMLINK'].includes(codeOf(error))) throw error
    const isThere = await lstat(to).then(
      () => true,
      () => false,
    )
    if (isThere) throw Object.assign(new Error('file exists'), { code: 'EEXIST' })
    await renameOver(from, to)
  }
}

function codeOf(error: unknown): string {
  return (error as NodeJS.ErrnoException).code ?? ''
}
