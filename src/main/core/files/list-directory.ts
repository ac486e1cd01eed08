import type { Dirent } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { sep } from 'node:path'
import { setImmediate as pause } from 'node:timers/promises'
import { succeed, type Result } from '../../../shared/result'
import { isTemporaryName } from './atomic-write'
import { failureOf, systemCode, type FileFailure } from './file-failure'
import { orderKey, sortInSlices } from './natural-order'
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
  { limit = defaultLimit }: { limit?: number } = {},
): Promise<Result<DirectoryListing, FileFailure>> {
  let found: Dirent[]
  try {
    found = await readdir(path, { withFileTypes: true })
  } catch (error) {
    if (systemCode(error) === 'ENOTDIR') {
      return {
        ok: false,
        failure: { code: 'not-a-file', message: `${path} is not a folder. Choose a folder.` },
      }
    }
    return failureOf(error, 'list', path)
  }
  const folder = path.endsWith(sep) ? path : path + sep
  const keyed: Keyed[] = []
  for (const [index, entry] of found.entries()) {
    if (!isTemporaryName(entry.name)) keyed.push({ key: orderKey(entry.name), entry: entryOf(folder, entry) })
    if ((index + 1) % namesAtOnce === 0) await pause()
  }
  await resolveKinds(keyed.flatMap(({ entry }) => (entry.symlink ? [entry] : [])))
  const sorted = await sortInSlices(keyed, compareEntries, pause)
  const entries = sorted.slice(0, limit).map(({ entry }) => entry)
  return succeed({ entries, truncated: sorted.length > limit })
}

interface Keyed {
  key: string
  entry: DirectoryEntry
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

function compareEntries(one: Keyed, other: Keyed): number {
  const [a, b] = [one.entry, other.entry]
  if ((a.kind === 'folder') !== (b.kind === 'folder')) return a.kind === 'folder' ? -1 : 1
  if (one.key !== other.key) return one.key < other.key ? -1 : 1
  return a.name < b.name ? -1 : a.name > b.name ? 1 : 0
}
