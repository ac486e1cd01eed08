import type { Dirent } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { sep } from 'node:path'
import { succeed, type Result } from '../../../shared/result'
import { isTemporaryName } from './atomic-write'
import { failureOf, systemCode, type FileFailure } from './file-failure'
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

const defaultLimit = 10_000
/** So many links are looked at, at one time. */
const linksAtOnce = 32
const natural = new Intl.Collator('en', { numeric: true, sensitivity: 'base' })

/** What a folder holds, one level: folders first, then in the order in which people count ("2" before "10"). */
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
  const entries = found.filter((entry) => !isTemporaryName(entry.name)).map((entry) => entryOf(folder, entry))
  await resolveKinds(entries.filter((entry) => entry.symlink))
  const truncated = entries.length > limit
  // People's order takes half a second for 100,000 names; what is cut off need not be in it.
  const shown = truncated ? entries.sort(compareCodes).slice(0, limit) : entries
  return succeed({ entries: shown.sort(compareEntries), truncated })
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

function compareCodes(a: DirectoryEntry, b: DirectoryEntry): number {
  if ((a.kind === 'folder') !== (b.kind === 'folder')) return a.kind === 'folder' ? -1 : 1
  return a.name < b.name ? -1 : a.name > b.name ? 1 : 0
}

function compareEntries(a: DirectoryEntry, b: DirectoryEntry): number {
  if ((a.kind === 'folder') !== (b.kind === 'folder')) return a.kind === 'folder' ? -1 : 1
  return natural.compare(a.name, b.name) || compareCodes(a, b)
}
