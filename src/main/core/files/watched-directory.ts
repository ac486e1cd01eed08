import { setImmediate as pause, setTimeout as wait } from 'node:timers/promises'
import type { Disposable } from '../../../shared/lifetime'
import type { FileFailure } from './file-failure'
import { type DirectoryEntry, type DirectoryListing, listDirectory } from './list-directory'
import { RepeatedLook } from './repeated-look'
import type { FileWatcher } from './watcher'

/**
 * Events of a folder's content, in order. `level`: all of it again, or its first part; `total` counts all entries.
 * `more`: the next part. `change`: these names are gone, then these entries are at these indexes.
 */
export type DirectoryEvent =
  | { kind: 'level'; entries: DirectoryEntry[]; total: number; truncated: boolean }
  | { kind: 'more'; entries: DirectoryEntry[] }
  | { kind: 'change'; gone: string[]; come: { at: number; entry: DirectoryEntry }[]; truncated: boolean }
  | { kind: 'failed'; failure: FileFailure }

export interface WatchedDirectoryOptions {
  watcher: Pick<FileWatcher, 'watchDirectory'>
  /** Which entries count. */
  keep(entry: DirectoryEntry): boolean
  tell(event: DirectoryEvent): void
}

/** How many entries come first, to fill the screen immediately, and in each further part. */
const firstPiece = 500
const nextPiece = 5000
/** With more changes than this, everything is sent again. */
const mostChanges = 1000
/** After each look a pause of this many times its length, but no longer than this, in milliseconds. */
const pauseFactor = 4
const longestPause = 2000

/**
 * Follows one folder's content. However fast it changes, it is read at most a fifth of the time and only changes are
 * reported; however much it holds, it is reported in parts.
 */
export class WatchedDirectory implements Disposable {
  readonly #path: string
  readonly #options: WatchedDirectoryOptions
  #told: readonly DirectoryEntry[] | null = null
  #disposed = false
  #watch: Disposable | null = null
  readonly #end = new AbortController()
  readonly #looks = new RepeatedLook(() => this.#lookAndRest())

  constructor(path: string, options: WatchedDirectoryOptions) {
    this.#path = path
    this.#options = options
    void this.#start()
  }

  /** Looks again; calls during a look are combined. */
  refresh(): void {
    this.#looks.ask()
  }

  dispose(): void {
    this.#disposed = true
    this.#looks.dispose()
    this.#watch?.dispose()
    this.#end.abort()
  }

  async #start(): Promise<void> {
    // Watched before it is read, so that no change is missed in between.
    const watch = await this.#options.watcher.watchDirectory(this.#path, () => this.refresh())
    if (this.#disposed) watch.dispose()
    else this.#watch = watch
    this.refresh()
  }

  async #lookAndRest(): Promise<void> {
    const begun = performance.now()
    await this.#look()
    const rest = Math.min(longestPause, (performance.now() - begun) * pauseFactor)
    await wait(rest, undefined, { ref: false, signal: this.#end.signal }).catch(() => undefined)
  }

  async #look(): Promise<void> {
    // On the first look, the first entries are reported before the rest is sorted.
    let told = 0
    const head = {
      size: firstPiece,
      tell: ({ entries, total, truncated }: DirectoryListing & { total: number }) => {
        if (this.#disposed) return
        told = entries.length
        this.#options.tell({ kind: 'level', entries, total, truncated })
      },
    }
    const listed = await listDirectory(this.#path, {
      keep: (entry) => this.#options.keep(entry),
      ...(this.#told === null ? { head } : {}),
    })
    if (this.#disposed) return
    if (!listed.ok) {
      this.#told = null
      return this.#options.tell({ kind: 'failed', failure: listed.failure })
    }
    const { truncated, entries } = listed.value
    const change = this.#told === null ? null : compareLevels(this.#told, entries)
    this.#told = entries
    if (change) {
      if (change.gone.length > 0 || change.come.length > 0) {
        this.#options.tell({ kind: 'change', ...change, truncated })
      }
      return
    }
    if (told === 0) {
      told = Math.min(firstPiece, entries.length)
      this.#options.tell({ kind: 'level', entries: entries.slice(0, told), total: entries.length, truncated })
    }
    for (let at = told; at < entries.length; at += nextPiece) {
      await pause()
      if (this.#isDisposed()) return
      this.#options.tell({ kind: 'more', entries: entries.slice(at, at + nextPiece) })
    }
  }

  #isDisposed(): boolean {
    return this.#disposed
  }
}

/**
 * The changes from one content to another, both sorted. An entry whose kind has changed is both gone and new. Null if
 * there are so many that sending everything is shorter.
 */
export function compareLevels(
  before: readonly DirectoryEntry[],
  after: readonly DirectoryEntry[],
): { gone: string[]; come: { at: number; entry: DirectoryEntry }[] } | null {
  const known = new Map(before.map((entry) => [entry.name, entry]))
  const come: { at: number; entry: DirectoryEntry }[] = []
  for (const [at, entry] of after.entries()) {
    const old = known.get(entry.name)
    if (old && old.kind === entry.kind && old.symlink === entry.symlink) known.delete(entry.name)
    else if (come.push({ at, entry }) > mostChanges) return null
  }
  return known.size > mostChanges ? null : { gone: [...known.keys()], come }
}
