import { randomBytes } from 'node:crypto'
import { constants, type Stats } from 'node:fs'
import { type FileHandle, mkdir, mkdtemp, open, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { succeed, type Result } from '../../../shared/result'
import {
  isForeign,
  isReadOnly,
  isWritableFolder,
  permissionsOf,
  privateFileMode,
  privateFolderMode,
} from '../platform/file-modes'
import { replaceFile } from '../platform/atomic-replace'
import { copyAttributes } from './file-attributes'
import { failureOf, fileFailure, systemCode, type FileFailure } from './file-failure'
import { statOf } from './read-file'
import { resolveRealPath } from './real-path'
import { withFile } from './regular-file'

export interface WriteOptions {
  /** Permissions of a new file; an existing one keeps its own. By default the system's. */
  mode?: number
  /** Makes missing folders above the file. */
  createParents?: boolean
  /** Refuses to overwrite a file, even one that appears at the last moment. */
  exclusive?: boolean
  /** Where copies are kept while files are written in place; by default a new folder in the system's temporary one. */
  backupFolder?: string
  /** The person's own file, whose group, ACL and extended attributes are kept too (see `copyAttributes`). */
  keepsAttributes?: boolean
  /** Called when all is prepared, right before the content changes. A failure stops the write and is returned. */
  guard?: () => Promise<Result<unknown, FileFailure>>
}

/** `replaced`: by a new file. `in-place`: the same file has new content (see `writeFileAtomically`). */
export interface Written {
  realPath: string
  how: 'replaced' | 'in-place'
}

/**
 * Writes a file so that it always holds either the old or the new content: into a temporary file next to it, flushed,
 * then renamed over it. Symbolic links are followed and stay links; permissions stay. A file that can't be replaced
 * without loss (several hard links, another owner, a folder that takes no new files, attributes that can't be copied)
 * is written in place instead, with a backup that only its owner can read until that is done. Read-only files are
 * refused. A failure leaves the old content and no temporary file.
 */
export async function writeFileAtomically(
  path: string,
  bytes: Uint8Array,
  options: WriteOptions = {},
): Promise<Result<Written, FileFailure>> {
  try {
    const realPath = await resolveRealPath(path)
    const found = await statOf(realPath)
    if (found && !found.isFile())
      return fileFailure('not-a-file', `${path} isn’t a regular file. Choose a file.`)
    if (found && options.exclusive) return alreadyThere(path)
    if (found && (await isReadOnly(realPath, found.mode))) {
      return fileFailure('read-only', `${path} is read-only. Make it writable and try again.`)
    }
    if (!found && options.createParents) await mkdir(dirname(realPath), { recursive: true })
    if (found && (await mustStayInPlace(realPath, found)))
      return await writeInPlace(path, realPath, bytes, options)
    return await replace(path, realPath, found, bytes, options)
  } catch (error) {
    return failureOf(error, 'write', path)
  }
}

async function mustStayInPlace(realPath: string, found: Stats): Promise<boolean> {
  return found.nlink > 1 || isForeign(found.uid) || !(await isWritableFolder(dirname(realPath)))
}

async function replace(
  path: string,
  realPath: string,
  found: Stats | undefined,
  bytes: Uint8Array,
  options: WriteOptions,
): Promise<Result<Written, FileFailure>> {
  let stopped: Result<never, FileFailure> | 'in-place' | null = null
  try {
    await replaceFile(realPath, bytes, {
      mode: found ? permissionsOf(found.mode) : (options.mode ?? 'default'),
      exclusive: options.exclusive ?? false,
      prepare: async (temporary) => {
        if (found && options.keepsAttributes && !(await copyAttributes(realPath, temporary, found)))
          stopped = 'in-place'
        else {
          const allowed = await options.guard?.()
          if (allowed && !allowed.ok) stopped = allowed
        }
        return stopped === null
      },
    })
  } catch (error) {
    const code = systemCode(error)
    if (code === 'EEXIST' && options.exclusive) return alreadyThere(path)
    // A file that is itself a mount point can't be renamed over.
    if (!found || code !== 'EBUSY') throw error
    stopped = 'in-place'
  }
  if (stopped === 'in-place') return writeInPlace(path, realPath, bytes, options)
  return stopped ?? succeed({ realPath, how: 'replaced' })
}

async function writeInPlace(
  path: string,
  realPath: string,
  bytes: Uint8Array,
  options: WriteOptions,
): Promise<Result<Written, FileFailure>> {
  const own = options.backupFolder === undefined ? await mkdtemp(join(tmpdir(), 'greenlight-')) : null
  const folder = own ?? options.backupFolder ?? ''
  await mkdir(folder, { recursive: true, mode: privateFolderMode })
  const backup = join(folder, `greenlight-${randomBytes(8).toString('hex')}.backup`)
  let keep = false
  try {
    const allowed = await backUp(realPath, backup, options.guard)
    if (!allowed.ok) return allowed
    try {
      await overwrite(realPath, bytes)
    } catch (error) {
      keep = !(await putBack(backup, realPath))
      const failed = failureOf(error, 'write', path)
      if (!keep) return failed
      return fileFailure(failed.failure.code, `${failed.failure.message} The old content is in ${backup}.`)
    }
    return succeed({ realPath, how: 'in-place' })
  } finally {
    if (!keep) await rm(own ?? backup, { recursive: true, force: true })
  }
}

/** Copies a file, readable only by its owner whoever may read the original, then calls the guard. */
async function backUp(
  path: string,
  backup: string,
  guard: WriteOptions['guard'],
): Promise<Result<unknown, FileFailure>> {
  await withFile(path, async (from) => {
    const to = await open(backup, 'wx', privateFileMode)
    try {
      await copyContent(from, to)
      await to.sync()
    } finally {
      await to.close()
    }
  })
  return (await guard?.()) ?? succeed(undefined)
}

/** Overwrites a file's content and keeps everything else about it, including who may read it. */
async function overwrite(path: string, content: Uint8Array | FileHandle): Promise<void> {
  // Doesn't wait if it has become a pipe.
  const handle = await open(path, constants.O_RDWR | (constants.O_NONBLOCK ?? 0))
  try {
    if (!(content instanceof Uint8Array)) await handle.truncate(await copyContent(content, handle))
    else {
      await writeWhole(handle, content, 0)
      await handle.truncate(content.length)
    }
    await handle.sync()
  } finally {
    await handle.close()
  }
}

/** Copies from the beginning of one file to the beginning of the other. Returns the number of bytes. */
async function copyContent(from: FileHandle, to: FileHandle): Promise<number> {
  const buffer = Buffer.allocUnsafe(1024 * 1024)
  for (let at = 0; ;) {
    const { bytesRead } = await from.read(buffer, 0, buffer.length, at)
    if (bytesRead === 0) return at
    await writeWhole(to, buffer.subarray(0, bytesRead), at)
    at += bytesRead
  }
}

async function writeWhole(to: FileHandle, bytes: Uint8Array, position: number): Promise<void> {
  for (let at = 0; at < bytes.length;)
    at += (await to.write(bytes, at, bytes.length - at, position + at)).bytesWritten
}

async function putBack(backup: string, path: string): Promise<boolean> {
  try {
    await withFile(backup, (from) => overwrite(path, from))
    return true
  } catch {
    return false
  }
}

function alreadyThere(path: string) {
  return fileFailure('taken', `${path} already exists. Choose another name.`)
}
