import { sep } from 'node:path'
import { z } from 'zod'
import { hashContent } from '../files/content-hash'
import { type OnDisk, readDisk } from './disk-bytes'
import type { ChangesGit, FolderInGit } from './changes-ports'
import { type Snapshots, largest } from './snapshots'

/** SHA-256 in hex. */
export const hashSchema = z.string().regex(/^[0-9a-f]{64}$/)

/** Where to find what a file held before. Plain data, so it can be stored. */
export const beforeSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('absent') }),
  z.object({ kind: z.literal('kept'), hash: hashSchema }),
  /** Unchanged since the commit. `size`: the file's, in bytes, if known. */
  z.object({
    kind: z.literal('commit'),
    top: z.string(),
    commit: z.string().regex(/^[0-9a-f]{40,64}$/),
    size: z.number().exactOptional(),
  }),
  /** There was a file, but its content isn't known: too large, too many, or the system refused. */
  z.object({ kind: z.literal('unknown') }),
])
export type Before = z.infer<typeof beforeSchema>

/** The bytes from before; null if there was no file. */
export type BytesBefore = Uint8Array | null | 'unknown'

/** The files that a walk through a folder has found; see `FolderTree`. */
export interface SeenFiles {
  readonly isPartial: boolean
  sizeOf(path: string): number | undefined
  files(): Iterable<string>
}

/** How many files are read and kept at a time. */
const atOnce = 16

/**
 * What a folder's files held before agents wrote. The person's own content (dirty, untracked, or in no repository) is
 * kept in snapshots; the rest is known from the commit that was current then.
 */
export class Baseline {
  readonly #snapshots: Snapshots
  readonly #tree: SeenFiles
  readonly #known = new Map<string, Before>()
  #inGit: FolderInGit | null = null

  /** Knows nothing yet. `tree` must have been started. */
  constructor(snapshots: Snapshots, tree: SeenFiles) {
    this.#snapshots = snapshots
    this.#tree = tree
  }

  /** Takes the folder as it is now. */
  async take(folder: string, git: ChangesGit): Promise<void> {
    this.#inGit = await git.look(folder)
    await this.putAll(this.#inGit ? this.#inGit.unclean : [...this.#tree.files()])
  }

  get isInGit(): boolean {
    return this.#inGit !== null
  }

  beforeOf(path: string): Before {
    const known = this.#known.get(path)
    if (known) return known
    const size = this.#tree.sizeOf(path)
    const { top, commit } = this.#inGit ?? { top: '', commit: null }
    if (size === undefined) {
      // An incomplete tree can't tell that a file didn't exist; the commit may.
      if (!this.#tree.isPartial) return { kind: 'absent' }
      return commit === null ? { kind: 'unknown' } : { kind: 'commit', top, commit }
    }
    return commit === null ? { kind: 'unknown' } : { kind: 'commit', top, commit, size }
  }

  /** Whether something is recorded for this path itself, rather than by the commit. */
  knows(path: string): boolean {
    return this.#known.has(path)
  }

  /** What the path held turns out to be unknown. */
  forget(path: string): void {
    this.#known.set(path, { kind: 'unknown' })
  }

  /** From now on this is what the path holds. Without `makesRoom` it is kept only where there is room already. */
  async put(path: string, disk: OnDisk, makesRoom = true): Promise<Before> {
    // Noted first: making room, for this or for another, removes what nobody needs.
    if (disk.kind === 'file') this.#known.set(path, { kind: 'kept', hash: disk.hash })
    const before = await this.#keep(disk, makesRoom)
    this.#known.set(path, before)
    return before
  }

  /** From now on these paths hold what is on disk now. */
  async putAll(paths: readonly string[]): Promise<void> {
    let isFull = false
    for (let at = 0; at < paths.length; at += atOnce) {
      const some = paths.slice(at, at + atOnce)
      await Promise.all(
        some.map(async (path) => {
          const disk = await readDisk(path)
          const before = await this.put(path, disk, !isFull)
          // Making room goes through all that is kept: too much to do again for each of many files.
          if (disk.kind === 'file' && before.kind === 'unknown') isFull = true
        }),
      )
    }
  }

  /** The paths below a folder that have a record of their own. */
  knownIn(folder: string): string[] {
    return [...this.#known.keys()].filter((path) => path.startsWith(`${folder}${sep}`))
  }

  /** The snapshots this baseline needs. */
  hashes(): string[] {
    return [...this.#known.values()].flatMap((before) => (before.kind === 'kept' ? [before.hash] : []))
  }

  async #keep(disk: OnDisk, makesRoom: boolean): Promise<Before> {
    if (disk.kind === 'absent') return { kind: 'absent' }
    if (disk.kind !== 'file') return { kind: 'unknown' }
    const hash = await this.#snapshots.keep(disk.bytes, makesRoom)
    return hash === null ? { kind: 'unknown' } : { kind: 'kept', hash }
  }
}

/** The bytes from before, for several paths together. */
export async function readBefore(
  befores: ReadonlyMap<string, Before>,
  { git, snapshots }: { git: ChangesGit; snapshots: Snapshots },
): Promise<Map<string, BytesBefore>> {
  const found = new Map<string, BytesBefore>()
  const commits = new Map<string, { top: string; commit: string; paths: string[] }>()
  for (const [path, before] of befores) {
    switch (before.kind) {
      case 'absent':
        found.set(path, null)
        break
      case 'unknown':
        found.set(path, 'unknown')
        break
      case 'kept':
        found.set(path, (await snapshots.read(before.hash)) ?? 'unknown')
        break
      case 'commit': {
        const { top, commit } = before
        const key = `${commit} ${top}`
        const group = commits.get(key) ?? { top, commit, paths: [] }
        group.paths.push(path)
        commits.set(key, group)
      }
    }
  }
  const sizeOf = (path: string) => {
    const before = befores.get(path)
    return before?.kind === 'commit' ? before.size : undefined
  }
  for (const { top, commit, paths } of commits.values()) {
    const committed = await git.committed({ top, commit }, paths, sizeOf, largest)
    for (const path of paths) {
      const file = committed.get(path) ?? { kind: 'unknown' }
      // It existed, but isn't in the commit and wasn't unclean: ignored then, so its content is unknown.
      const isMissing = file.kind === 'absent' && sizeOf(path) !== undefined
      found.set(
        path,
        file.kind === 'file' ? file.bytes : file.kind === 'absent' && !isMissing ? null : 'unknown',
      )
    }
  }
  return found
}

export function bytesIn(texts: ReadonlyMap<string, BytesBefore>, path: string): BytesBefore {
  const found = texts.get(path)
  return found === undefined ? 'unknown' : found
}

/** Whether a file holds what it held before. */
export function isAsBefore(before: BytesBefore, disk: OnDisk): boolean {
  if (before === 'unknown') return false
  if (before === null) return disk.kind === 'absent'
  return disk.kind === 'file' && disk.hash === hashContent(before)
}
