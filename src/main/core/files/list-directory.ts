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
  /** Of what a symbolic link leads to, where it is one. A link that leads nowhere, a device, a pipe: `other`. */
  kind: 'file' | 'folder' | 'other'
  symlink: boolean
}

/** `truncated`: the folder holds more than was asked for; folders and the first names are there. */
export interface DirectoryListing {
  entries: DirectoryEntry[]
  truncated: boolean
}

/** How a folder is listed. */
export interface ListOptions {
  /** More entries than this are not given. */
  limit?: number
  /** Which entries count; all without it. */
  keep?(entry: DirectoryEntry): boolean
  /**
   * Hears the first entries before the others are put in order, where there are more of them than `size`: they stand
   * exactly as they will in the whole.
   */
  head?: { size: number; tell(listing: DirectoryListing & { total: number }): void }
}

const defaultLimit = 100_000
/** So many links are looked at, at one time. */
const linksAtOnce = 32
/** So many names are worked on at a stretch. */
const namesAtOnce = 4096

/**
 * What a folder holds, one level: folders first, then in the order in which people count ("2" before "10"). Even
 * 100,000 names hold up nothing else for long.
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
    // What is told goes out before the long work begins.
    await pause()
  }
  const sorted = await sortInSlices(kept, compareEntries, pause)
  return succeed({ entries: sorted.slice(0, limit), truncated })
}

function entryOf(folder: string, entry: Dirent): DirectoryEntry {
  const kind = entry.isDirectory() ? 'folder' : entry.isFile() ? 'file' : 'other'
  // Not `join`, which would look for dots in each of a hundred thousand names.
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
