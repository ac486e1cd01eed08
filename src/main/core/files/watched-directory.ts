import { setImmediate as pause, setTimeout as wait } from 'node:timers/promises'
import type { Disposable } from '../../../shared/lifetime'
import type { FileFailure } from './file-failure'
import { type DirectoryEntry, type DirectoryListing, listDirectory } from './list-directory'
import type { FileWatcher } from './watcher'

/**
 * What is told of a folder's content, in its order. `level`: it anew, or as much as comes first; `more`: what follows;
 * `total` is how many there are in all. `change`: these names are gone, then these entries stand at these places.
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

/** As many entries come first, so that a screen is full at once, and then in each further piece. */
const firstPiece = 500
const nextPiece = 5000
/** More that is new than this is told anew. */
const mostChanges = 1000
/** After a look there is a pause of so many times its length, in milliseconds at most. */
const pauseFactor = 4
const longestPause = 2000

/**
 * One folder's content, followed. However fast it changes it is read at most a fifth of the time, and only what is new
 * is told; however much it holds it is told in pieces.
 */
export class WatchedDirectory implements Disposable {
  readonly #path: string
  readonly #options: WatchedDirectoryOptions
  #told: readonly DirectoryEntry[] | null = null
  #wanted = false
  #looking = false
  #disposed = false
  #watch: Disposable | null = null
  readonly #end = new AbortController()

  constructor(path: string, options: WatchedDirectoryOptions) {
    this.#path = path
    this.#options = options
    void this.#start()
  }

  /** Looks again; the same many calls as one. */
  refresh(): void {
    this.#wanted = true
    if (!this.#looking && !this.#disposed) void this.#lookWhileWanted()
  }

  dispose(): void {
    this.#disposed = true
    this.#watch?.dispose()
    this.#end.abort()
  }

  async #start(): Promise<void> {
    // Watched before it is read, so that nothing falls between.
    const watch = await this.#options.watcher.watchDirectory(this.#path, () => this.refresh())
    if (this.#disposed) watch.dispose()
    else this.#watch = watch
    this.refresh()
  }

  async #lookWhileWanted(): Promise<void> {
    this.#looking = true
    while (this.#isWanted()) {
      this.#wanted = false
      const begun = performance.now()
      await this.#look()
      const rest = Math.min(longestPause, (performance.now() - begun) * pauseFactor)
      await wait(rest, undefined, { ref: false, signal: this.#end.signal }).catch(() => undefined)
    }
    this.#looking = false
  }

  #isWanted(): boolean {
    return this.#wanted && !this.#disposed
  }

  async #look(): Promise<void> {
    // Of the first look the first entries are told before the others have their places.
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
 * What leads from one content to another, both in order. An entry that became something else is gone and has come.
 * Null where that is so much that the whole is shorter.
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
