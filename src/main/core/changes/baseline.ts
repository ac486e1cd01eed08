import { sep } from 'node:path'
import { z } from 'zod'
import { hashContent } from '../files/content-hash'
import { type OnDisk, readDisk } from './disk-bytes'
import type { ChangesGit, FolderInGit } from './changes-ports'
import { type Snapshots, largest } from './snapshots'

/** SHA-256 in hex. */
export const hashSchema = z.string().regex(/^[0-9a-f]{64}$/)

/** Where the text of a file from before can be found. A value: it outlives what it was found by. */
export const beforeSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('absent') }),
  z.object({ kind: z.literal('kept'), hash: hashSchema }),
  /** Not changed since the commit; `size` in bytes as the file had it, where that is known. */
  z.object({
    kind: z.literal('commit'),
    top: z.string(),
    commit: z.string().regex(/^[0-9a-f]{40,64}$/),
    size: z.number().exactOptional(),
  }),
  /** A file was there, but not what it held: too large, too many, or the system said no. */
  z.object({ kind: z.literal('unknown') }),
])
export type Before = z.infer<typeof beforeSchema>

/** The bytes from before: null where there was no file. */
export type BytesBefore = Uint8Array | null | 'unknown'

/** The files of a folder as a walk through it has found them; see `FolderTree`. */
export interface SeenFiles {
  readonly isPartial: boolean
  sizeOf(path: string): number | undefined
  files(): Iterable<string>
}

/** Contents are read and kept so many at a time. */
const atOnce = 16

/**
 * What the files of a folder held before agents wrote: what is the person's own (dirty, untracked, or in no repository)
 * is kept in snapshots, the rest is known from the commit that was current then.
 */
export class Baseline {
  readonly #snapshots: Snapshots
  readonly #tree: SeenFiles
  readonly #known = new Map<string, Before>()
  #inGit: FolderInGit | null = null

  private constructor(snapshots: Snapshots, tree: SeenFiles) {
    this.#snapshots = snapshots
    this.#tree = tree
  }

  /** Looks at a folder as it is now. `tree` has been started. */
  static async take(
    folder: string,
    { git, snapshots, tree }: { git: ChangesGit; snapshots: Snapshots; tree: SeenFiles },
  ): Promise<Baseline> {
    const baseline = new Baseline(snapshots, tree)
    baseline.#inGit = await git.look(folder)
    await baseline.putAll(baseline.#inGit ? baseline.#inGit.unclean : [...tree.files()])
    return baseline
  }

  /** Whether the folder is in a repository. */
  get isInGit(): boolean {
    return this.#inGit !== null
  }

  /** Where the text of a path from before is. */
  beforeOf(path: string): Before {
    const known = this.#known.get(path)
    if (known) return known
    const size = this.#tree.sizeOf(path)
    const { top, commit } = this.#inGit ?? { top: '', commit: null }
    if (size === undefined) {
      // A tree that was not seen whole cannot tell what was not there; the commit may.
      if (!this.#tree.isPartial) return { kind: 'absent' }
      return commit === null ? { kind: 'unknown' } : { kind: 'commit', top, commit }
    }
    return commit === null ? { kind: 'unknown' } : { kind: 'commit', top, commit, size }
  }

  /** Whether a path is known by itself, and not by the commit. */
  knows(path: string): boolean {
    return this.#known.has(path)
  }

  /** What the path held is not known after all. */
  forget(path: string): void {
    this.#known.set(path, { kind: 'unknown' })
  }

  /** From now on this is what the path holds. */
  async put(path: string, disk: OnDisk): Promise<void> {
    this.#known.set(path, await this.#keep(disk))
  }

  /** From now on paths hold what they hold now. */
  async putAll(paths: readonly string[]): Promise<void> {
    for (let at = 0; at < paths.length; at += atOnce) {
      const some = paths.slice(at, at + atOnce)
      await Promise.all(some.map(async (path) => this.put(path, await readDisk(path))))
    }
  }

  /** Everything below a folder of which something is known by itself. */
  knownIn(folder: string): string[] {
    return [...this.#known.keys()].filter((path) => path.startsWith(`${folder}${sep}`))
  }

  /** What must not be removed from the snapshots. */
  hashes(): string[] {
    return [...this.#known.values()].flatMap((before) => (before.kind === 'kept' ? [before.hash] : []))
  }

  async #keep(disk: OnDisk): Promise<Before> {
    if (disk.kind === 'absent') return { kind: 'absent' }
    if (disk.kind !== 'file') return { kind: 'unknown' }
    const hash = await this.#snapshots.keep(disk.bytes)
    return hash === null ? { kind: 'unknown' } : { kind: 'kept', hash }
  }
}

/** The bytes from before, of several paths at once. */
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
      // A file that was there, is not in the commit and was not unclean: ignored then, so nobody looked at it.
      const isMissing = file.kind === 'absent' && sizeOf(path) !== undefined
      found.set(
        path,
        file.kind === 'file' ? file.bytes : file.kind === 'absent' && !isMissing ? null : 'unknown',
      )
    }
  }
  return found
}

/** What was found of one path. */
export function bytesIn(texts: ReadonlyMap<string, BytesBefore>, path: string): BytesBefore {
  const found = texts.get(path)
  return found === undefined ? 'unknown' : found
}

/** Whether a file is as it was. */
export function isAsBefore(before: BytesBefore, disk: OnDisk): boolean {
  if (before === 'unknown') return false
  if (before === null) return disk.kind === 'absent'
  return disk.kind === 'file' && disk.hash === hashContent(before)
}
