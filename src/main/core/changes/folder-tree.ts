import { type FSWatcher, type Stats, watch } from 'node:fs'
import { lstat, readdir } from 'node:fs/promises'
import { dirname, join, sep } from 'node:path'
import type { Disposable } from '../../../shared/lifetime'
import { isTemporaryName } from '../platform/atomic-replace'
import { systemCode } from '../files/file-failure'

/** What a tree needs, and whom it tells. */
export interface FolderTreeOptions<Mark> {
  folder: string
  /** Which of some folders are to be left out. */
  leaveOut(folders: readonly string[]): Promise<ReadonlySet<string>>
  /** What is to be remembered of the moment at which something happens; it is told a little later. */
  mark(): Mark
  /** Something happened to a file; it may be gone. */
  onHint(path: string, mark: Mark): void
  /**
   * A folder is gone, or so much happened in it that not all was heard; hints of the files that were in it at the start
   * come by themselves.
   */
  onUnsure(folder: string, mark: Mark): void
  /** So much happened that hints were lost. */
  onLost(): void
  mostFolders?: number
  mostFiles?: number
  mostHints?: number
}

/**
 * The system hands over all that has queued up in one go, and goes on for as long as somebody writes faster than it is
 * taken. Above so many notices at once a folder is watched no longer, but read anew after a pause in milliseconds.
 */
export const mostNotices = 1000
const floodPause = 500
/** Notices may have waited for us, and clocks of files are coarser than ours: so far back it is looked, in milliseconds. */
const lookBack = 10_000
/** So many known files are gone through between two turns of the event loop. */
const walkAtOnce = 10_000
/** Hints are worked off together, so many at a time with a pause in milliseconds, so that a flood stalls nothing. */
const drainDelay = 50
export const drainAtOnce = 500
/** Folders that are read at once. */
const foldersAtOnce = 32

/** Hears of a file: its size in bytes, and when it was changed last, in milliseconds since the epoch. */
type TellFile = (path: string, size: number, changed: number) => void

/**
 * All files below a folder: their sizes as they were at the start, and hints of what happens to them since. Each folder
 * has a watch of its own, which also tells of files that are renamed over. Nested repositories and folders named
 * node_modules are left out like those that `leaveOut` names.
 */
export class FolderTree<Mark> implements Disposable {
  readonly #options: Required<FolderTreeOptions<Mark>>
  readonly #sizes = new Map<string, number>()
  readonly #watches = new Map<string, FSWatcher>()
  #pending = new Map<string, Mark>()
  /** Notices since the event loop last went on. */
  #notices = 0
  /** Folders that are to be read anew, with the moment (since the epoch) and the mark of their flood. */
  readonly #floods = new Map<string, { since: number; mark: Mark }>()
  #floodTimer: NodeJS.Timeout | null = null
  #timer: NodeJS.Timeout | null = null
  #draining: Promise<void> | null = null
  #isPartial = false
  #disposed = false

  constructor(options: FolderTreeOptions<Mark>) {
    this.#options = { mostFolders: 10_000, mostFiles: 100_000, mostHints: 20_000, ...options }
  }

  /** Whether not everything below the folder could be seen or is watched. */
  get isPartial(): boolean {
    return this.#isPartial
  }

  /** Reads the whole tree once, and watches it from then on. */
  async start(): Promise<void> {
    await this.#enter([this.#options.folder], (path, size) => {
      if (this.#sizes.size < this.#options.mostFiles) this.#sizes.set(path, size)
      else this.#isPartial = true
    })
  }

  /** In bytes at the start; undefined for what was no file then. */
  sizeOf(path: string): number | undefined {
    return this.#sizes.get(path)
  }

  /** Every file that was there at the start. */
  files(): IterableIterator<string> {
    return this.#sizes.keys()
  }

  dispose(): void {
    this.#disposed = true
    if (this.#timer) clearTimeout(this.#timer)
    if (this.#floodTimer) clearTimeout(this.#floodTimer)
    for (const watcher of this.#watches.values()) watcher.close()
    this.#watches.clear()
    this.#pending.clear()
  }

  /** Watches folders and all below, and tells of each file with its size. */
  async #enter(folders: readonly string[], tell: TellFile): Promise<void> {
    let level = folders
    while (level.length > 0 && !this.#disposed) {
      const below: string[] = []
      for (let at = 0; at < level.length; at += foldersAtOnce) {
        const some = level.slice(at, at + foldersAtOnce)
        const read = await Promise.all(some.map((folder) => this.#read(folder, tell)))
        for (const found of read) below.push(...found)
      }
      const out = await this.#options.leaveOut(below)
      level = below.filter((folder) => !out.has(folder))
    }
  }

  /** Watches one folder, then reads it, so that nothing falls between. Gives the folders in it. */
  async #read(folder: string, tell: TellFile): Promise<string[]> {
    if (!this.#watch(folder)) return []
    const below: string[] = []
    try {
      const entries = await readdir(folder, { withFileTypes: true })
      // Another repository within this one has a history of its own.
      if (folder !== this.#options.folder && entries.some(({ name }) => name === '.git')) {
        this.#unwatch(folder)
        return []
      }
      for (const entry of entries) {
        const path = join(folder, entry.name)
        if (entry.isDirectory()) {
          if (!isLeftOutName(entry.name)) below.push(path)
        } else if (entry.isFile() && !isTemporaryName(entry.name)) {
          const found = await factsOf(path)
          if (found) tell(path, found.size, Math.max(found.ctimeMs, found.mtimeMs))
        }
      }
    } catch (error) {
      if (systemCode(error) === '') throw error
    }
    return below
  }

  #watch(folder: string): boolean {
    if (this.#disposed) return false
    if (this.#watches.has(folder)) return true
    if (this.#watches.size >= this.#options.mostFolders) {
      this.#isPartial = true
      return false
    }
    try {
      const watcher = watch(folder, { persistent: false }, (_event, name) => {
        if (this.#isFlooded(folder) || name === null) return
        if (!isLeftOutName(name) && !isTemporaryName(name))
          this.#hint(join(folder, name), this.#options.mark())
      })
      watcher.on('error', () => this.#unwatch(folder))
      this.#watches.set(folder, watcher)
      return true
    } catch (error) {
      if (systemCode(error) === '') throw error
      // Gone already is nothing to tell; too many watches is.
      if (systemCode(error) !== 'ENOENT') this.#isPartial = true
      return false
    }
  }

  #unwatch(folder: string): void {
    this.#watches.get(folder)?.close()
    this.#watches.delete(folder)
  }

  /** Counts a notice; of a folder that has too many at once nothing more is heard until it is read anew. */
  #isFlooded(folder: string): boolean {
    if (this.#disposed) return true
    if (this.#notices === 0) setImmediate(() => (this.#notices = 0))
    this.#notices += 1
    if (this.#notices <= mostNotices) return false
    this.#unwatch(folder)
    this.#floods.set(folder, { since: Date.now() - lookBack, mark: this.#options.mark() })
    this.#floodTimer ??= setTimeout(() => void this.#readFloods(), floodPause).unref()
    return true
  }

  /** Watches flooded folders again and finds out what has changed in them meanwhile. */
  async #readFloods(): Promise<void> {
    this.#floodTimer = null
    const floods = new Map(
      [...this.#floods].map(([folder, flood]) => [folder, { ...flood, found: new Set() }]),
    )
    this.#floods.clear()
    for (const [folder, { since, mark, found }] of floods) {
      const below = await this.#read(folder, (path, _size, changed) => {
        found.add(path)
        if (changed >= since) this.#hint(path, mark)
      })
      for (const path of below) if (!this.#watches.has(path)) this.#hint(path, mark)
    }
    let count = 0
    for (const path of this.#sizes.keys()) {
      const flood = floods.get(dirname(path))
      if (flood && !flood.found.has(path)) this.#hint(path, flood.mark)
      if ((count += 1) % walkAtOnce === 0) await new Promise(setImmediate)
    }
    if (this.#disposed) return
    // Of files that came later somebody else may know.
    for (const [folder, { mark }] of floods) this.#options.onUnsure(folder, mark)
  }

  #hint(path: string, mark: Mark): void {
    if (this.#disposed) return
    if (this.#pending.size >= this.#options.mostHints) {
      if (!this.#pending.has(path)) this.#options.onLost()
      return
    }
    this.#pending.set(path, mark)
    if (!this.#draining) this.#drainLater()
  }

  /** Tells of all that has been heard by now. */
  async flush(): Promise<void> {
    await this.#draining
    for (let left = this.#pending.size; left > 0; left -= drainAtOnce) await this.#drain()
  }

  #drainLater(): void {
    this.#timer ??= setTimeout(() => void this.#drain(), drainDelay).unref()
  }

  #drain(): Promise<void> {
    if (this.#timer) clearTimeout(this.#timer)
    this.#timer = null
    this.#draining ??= this.#drainSome().finally(() => {
      this.#draining = null
      if (this.#pending.size > 0 && !this.#disposed) this.#drainLater()
    })
    return this.#draining
  }

  async #drainSome(): Promise<void> {
    const some = [...this.#pending].slice(0, drainAtOnce)
    for (const [path] of some) this.#pending.delete(path)
    await Promise.all(some.map(([path, mark]) => this.#look(path, mark)))
  }

  /** Finds out whether a hint is about a file or about a folder with all that is in it. */
  async #look(path: string, mark: Mark): Promise<void> {
    if (this.#sizes.has(path)) return this.#tell(path, mark)
    const found = await kindOf(path)
    if (found === 'folder') {
      if (this.#watches.has(path)) return
      const out = await this.#options.leaveOut([path])
      if (!out.has(path)) await this.#enter([path], (file) => this.#tell(file, mark))
    } else if (found === 'absent' && this.#watches.has(path)) {
      this.#leave(path, mark)
    } else if (found !== 'other') this.#tell(path, mark)
  }

  /** A folder is gone, with all that was in it. */
  #leave(folder: string, mark: Mark): void {
    const inside = `${folder}${sep}`
    for (const watched of this.#watches.keys()) {
      if (watched === folder || watched.startsWith(inside)) this.#unwatch(watched)
    }
    for (const path of this.#sizes.keys()) if (path.startsWith(inside)) this.#tell(path, mark)
    if (!this.#disposed) this.#options.onUnsure(folder, mark)
  }

  #tell(path: string, mark: Mark): void {
    if (!this.#disposed) this.#options.onHint(path, mark)
  }
}

function isLeftOutName(name: string): boolean {
  return name === '.git' || name === 'node_modules'
}

async function kindOf(path: string): Promise<'file' | 'folder' | 'absent' | 'other'> {
  try {
    const found = await lstat(path)
    return found.isFile() ? 'file' : found.isDirectory() ? 'folder' : 'other'
  } catch (error) {
    if (systemCode(error) === '') throw error
    return 'absent'
  }
}

async function factsOf(path: string): Promise<Stats | null> {
  try {
    return await lstat(path)
  } catch (error) {
    if (systemCode(error) === '') throw error
    return null
  }
}
