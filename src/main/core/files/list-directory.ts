import type { Dirent } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { sep } from 'node:path'
import { setImmediate as pause } from 'node:timers/promises'
import { succeed, type Result } from '../../../shared/result'
import { isTemporaryName } from '../platform/atomic-replace'
import { failureOf, fileFailure, systemCode, type FileFailure } from './file-failure'
import { compareNames, firstInOrder, sortInSlices } from './natural-order'
import { statOf } from './read-file'

export interface DirectoryEntry {
  name: string
  path: string
  /** For a symbolic link, the kind of its target. A dangling link, a device, a pipe: `other`. */
  kind: 'file' | 'folder' | 'other'
  symlink: boolean
}

/** `truncated`: the folder holds more than the limit; folders and the first names are included. */
export interface DirectoryListing {
  entries: DirectoryEntry[]
  truncated: boolean
}

export interface ListOptions {
  /** How many entries to return at most. */
  limit?: number
  /** Which entries count; by default all. */
  keep?(entry: DirectoryEntry): boolean
  /**
   * Gets the first `size` entries before the rest is sorted, if there are more; they are in exactly their final order.
   */
  head?: { size: number; tell(listing: DirectoryListing & { total: number }): void }
}

const defaultLimit = 100_000
/** How many links are looked at in parallel. */
const linksAtOnce = 32
/** How many names are processed between pauses. */
const namesAtOnce = 4096

/**
 * What a folder holds, one level: folders first, then in natural order ("2" before "10"). Pauses now and then, so that
 * even 100,000 names don't hold up other work.
 */
export async function listDirectory(
  path: string,
  { limit = defaultLimit, keep, head }: ListOptions = {},
): Promise<Result<DirectoryListing, FileFailure>> {
  let found: Dirent[]
  try {
    found = await readdir(path, { withFileTypes: true })
  } catch (error) {
    if (systemCode(error) === 'ENOTDIR') {
      return fileFailure('not-a-file', `${path} isn’t a folder. Choose a folder.`)
    }
    return failureOf(error, 'list', path)
  }
  const folder = path.endsWith(sep) ? path : path + sep
  const named = found.filter(({ name }) => !isTemporaryName(name)).map((entry) => entryOf(folder, entry))
  await resolveKinds(named.filter(({ symlink }) => symlink))
  const kept: DirectoryEntry[] = []
  for (const [index, entry] of named.entries()) {
    if (keep?.(entry) !== false) kept.push(entry)
    if ((index + 1) % namesAtOnce === 0) await pause()
  }
  const truncated = kept.length > limit
  if (head && kept.length > head.size) {
    const entries = await firstInOrder(kept, Math.min(head.size, limit), compareEntries, pause)
    head.tell({ entries, total: Math.min(kept.length, limit), truncated })
    // Send it before the long work begins.
    await pause()
  }
  const sorted = await sortInSlices(kept, compareEntries, pause)
  return succeed({ entries: sorted.slice(0, limit), truncated })
}

function entryOf(folder: string, entry: Dirent): DirectoryEntry {
  const kind = entry.isDirectory() ? 'folder' : entry.isFile() ? 'file' : 'other'
  // Not `join`, which would normalize each of a hundred thousand names.
  return { name: entry.name, path: folder + entry.name, kind, symlink: entry.isSymbolicLink() }
}

async function resolveKinds(links: DirectoryEntry[]): Promise<void> {
  const waiting = links.values()
  async function resolveNext(): Promise<void> {
    for (const link of waiting) link.kind = await targetKind(link.path)
  }
  await Promise.all(Array.from({ length: Math.min(linksAtOnce, links.length) }, resolveNext))
}

async function targetKind(path: string): Promise<DirectoryEntry['kind']> {
  try {
    const target = await statOf(path)
    return target?.isDirectory() ? 'folder' : target?.isFile() ? 'file' : 'other'
  } catch (error) {
    if (systemCode(error) === '') throw error
    return 'other'
  }
}

function compareEntries(one: DirectoryEntry, other: DirectoryEntry): number {
  if ((one.kind === 'folder') !== (other.kind === 'folder')) return one.kind === 'folder' ? -1 : 1
  return compareNames(one.name, other.name)
}
