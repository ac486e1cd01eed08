import { randomBytes } from 'node:crypto'
import { constants, type Stats } from 'node:fs'
import {
  chmod,
  copyFile,
  link,
  lstat,
  mkdir,
  open,
  readdir,
  readlink,
  rename,
  rm,
  rmdir,
  symlink,
  unlink,
  utimes,
} from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { succeed, type Result } from '../../../shared/result'
import { isWithin } from '../../../shared/text/path-name'
import { copyName } from './entry-name'
import { failureOf, fileFailure, systemCode, type FileFailure } from './file-failure'

/** How many names are tried for a copy. */
const mostAttempts = 1000

/** Makes an empty file or folder; `taken` if the name exists. With `parents` makes missing folders too. */
export async function createEntry(
  path: string,
  kind: 'file' | 'folder',
  { parents = false }: { parents?: boolean } = {},
): Promise<Result<string, FileFailure>> {
  try {
    if (parents) await mkdir(dirname(path), { recursive: true })
    if (kind === 'folder') await mkdir(path)
    else await (await open(path, 'wx')).close()
    return succeed(path)
  } catch (error) {
    return systemCode(error) === 'EEXIST' ? taken(path) : failureOf(error, 'create', path)
  }
}

/**
 * Moves a file, link or folder; `taken` if the new path exists. Across file systems it copies, then removes; what was
 * written during the copy isn't removed, and if anything stays, so does the copy, and the failure says so. A rename
 * that only changes case works on case-insensitive file systems.
 */
export async function moveEntry(from: string, to: string): Promise<Result<string, FileFailure>> {
  try {
    if (from !== to && isWithin(from, to)) return into(from)
    const found = await lstat(from)
    const there = await lstatOf(to)
    if (there && !(isSameEntry(found, there) && from !== to)) return taken(to)
    if (there) await rename(from, to)
    else if (found.isFile()) await moveFile(from, to)
    else await rename(from, to)
    return succeed(to)
  } catch (error) {
    const code = systemCode(error)
    if (code === 'EXDEV') return moveAcross(from, to)
    if (code === 'EEXIST' || code === 'ENOTEMPTY') return taken(to)
    return failureOf(error, 'move', from)
  }
}

/**
 * Copies a file, link (as a link) or folder; `taken` if the name exists. The copy appears under its name only once
 * complete. Keeps permissions and times; refuses sockets, pipes and devices.
 */
export function copyEntry(from: string, to: string): Promise<Result<string, FileFailure>> {
  return copyWhole(from, to, new Map())
}

/** What every copied entry looked like before, by path. */
export type Copied = Map<string, string>

/** Like `copyEntry`; adds what it copied to `copied`. */
export async function copyWhole(
  from: string,
  to: string,
  copied: Copied,
): Promise<Result<string, FileFailure>> {
  if (from !== to && isWithin(from, to)) return into(from)
  const temporary = join(dirname(to), `.greenlight-${randomBytes(8).toString('hex')}.tmp`)
  try {
    if (await lstatOf(to)) return taken(to)
    const done = await copyTree(from, temporary, copied)
    if (!done.ok) return done
    return await moveEntry(temporary, to)
  } catch (error) {
    return failureOf(error, 'copy', from)
  } finally {
    await rm(temporary, { recursive: true, force: true }).catch(() => undefined)
  }
}

/** Copies into a folder under the first free name: its own, or "a copy.txt", "a copy 2.txt". */
export async function copyInto(from: string, folder: string): Promise<Result<string, FileFailure>> {
  const name = basename(from)
  let isFolder = false
  try {
    isFolder = (await lstat(from)).isDirectory()
  } catch (error) {
    return failureOf(error, 'copy', from)
  }
  for (let attempt = 0; attempt < mostAttempts; attempt++) {
    const to = join(folder, attempt === 0 ? name : copyName(name, isFolder, attempt))
    try {
      // Checked before copying, which may take long.
      if (await lstatOf(to)) continue
    } catch (error) {
      return failureOf(error, 'copy', from)
    }
    const copied = await copyEntry(from, to)
    if (copied.ok || copied.failure.code !== 'taken') return copied
  }
  return taken(join(folder, name))
}

/** Removes permanently. Only for what the person has confirmed. */
export async function removeEntry(path: string): Promise<Result<string, FileFailure>> {
  try {
    await rm(path, { recursive: true })
    return succeed(path)
  } catch (error) {
    return failureOf(error, 'delete', path)
  }
}

/** Links, then unlinks, so that a file that appears at the last moment isn't overwritten. */
async function moveFile(from: string, to: string): Promise<void> {
  try {
    await link(from, to)
  } catch (error) {
    if (['', 'EEXIST', 'ENOENT', 'EXDEV'].includes(systemCode(error))) throw error
    // A file system without links (the codes differ), or somebody else's file that may not be linked.
    if (await lstatOf(to)) throw Object.assign(new Error('file exists'), { code: 'EEXIST' })
    return rename(from, to)
  }
  try {
    await unlink(from)
  } catch (error) {
    await unlink(to)
    throw error
  }
}

async function moveAcross(from: string, to: string): Promise<Result<string, FileFailure>> {
  const seen: Copied = new Map()
  const copied = await copyWhole(from, to, seen)
  if (!copied.ok) return copied
  const removed = await removeCopied(from, seen)
  if (removed.ok) return copied
  return fileFailure(
    removed.failure.code,
    `${from} was copied to ${to}, but the original couldn’t be removed. Compare them and delete one.`,
  )
}

/**
 * Removes what was copied if it still looks the same, because the copy lacks anything written since. If something has
 * changed, removes nothing; what changes during the removal itself stays, with the folders that contain it.
 */
export async function removeCopied(path: string, copied: Copied): Promise<Result<string, FileFailure>> {
  try {
    if (!(await isAsCopied(path, copied)) || !(await removeTree(path, copied))) {
      return fileFailure('failed', `${path} changed while it was being copied. Compare both and delete one.`)
    }
    return succeed(path)
  } catch (error) {
    return failureOf(error, 'delete', path)
  }
}

async function isAsCopied(path: string, copied: Copied): Promise<boolean> {
  const found = await lstat(path)
  if (copied.get(path) !== lookOf(found)) return false
  if (!found.isDirectory()) return true
  for (const name of await readdir(path)) if (!(await isAsCopied(join(path, name), copied))) return false
  return true
}

/** Whether everything was removed. */
async function removeTree(path: string, copied: Copied): Promise<boolean> {
  const found = await lstat(path)
  if (copied.get(path) !== lookOf(found)) return false
  if (!found.isDirectory()) {
    await unlink(path)
    return true
  }
  let isEmpty = true
  for (const name of await readdir(path)) if (!(await removeTree(join(path, name), copied))) isEmpty = false
  if (isEmpty) await rmdir(path)
  return isEmpty
}

/** Equal if nobody has written the path in between. A folder's content is compared separately. */
function lookOf(found: Stats): string {
  if (found.isDirectory()) return 'folder'
  return `${found.ino} ${found.size} ${found.mtimeMs} ${found.ctimeMs}`
}

async function copyTree(from: string, to: string, copied: Copied): Promise<Result<string, FileFailure>> {
  const found = await lstat(from)
  copied.set(from, lookOf(found))
  if (found.isSymbolicLink()) await symlink(await readlink(from), to)
  else if (found.isFile()) await copyFile(from, to, constants.COPYFILE_EXCL | constants.COPYFILE_FICLONE)
  else if (found.isDirectory()) {
    // Writable until everything is in it, whatever its own permissions are.
    await mkdir(to, { mode: 0o700 })
    for (const name of await readdir(from)) {
      const done = await copyTree(join(from, name), join(to, name), copied)
      if (!done.ok) return done
    }
    await chmod(to, found.mode & 0o7777)
  } else {
    return fileFailure('not-a-file', `${from} isn’t a file or folder, so it can’t be copied. Skip it.`)
  }
  if (!found.isSymbolicLink()) await utimes(to, found.atime, found.mtime)
  return succeed(to)
}

async function lstatOf(path: string): Promise<Stats | undefined> {
  try {
    return await lstat(path)
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return undefined
    throw error
  }
}

function isSameEntry(one: Stats, other: Stats): boolean {
  // Two hard links to one file are two entries, but on a case-insensitive system one entry has two names. The link
  // count tells them apart.
  return one.dev === other.dev && one.ino === other.ino && (one.isDirectory() || one.nlink === 1)
}

function taken(path: string): { ok: false; failure: FileFailure } {
  return fileFailure(
    'taken',
    `${basename(path)} already exists in ${basename(dirname(path))}. Choose another name.`,
  )
}

function into(path: string): { ok: false; failure: FileFailure } {
  return fileFailure('failed', `${basename(path)} can’t be moved into itself. Choose another folder.`)
}
