import { type FSWatcher, type Stats, watch } from 'node:fs'
import { lstat, readdir } from 'node:fs/promises'
import { dirname, join, sep } from 'node:path'
import type { Disposable } from '../../../shared/lifetime'
import { isTemporaryName } from '../platform/atomic-replace'
import { systemCode } from '../files/file-failure'

export interface FolderTreeOptions<Mark> {
  folder: string
  /** Which of these folders to leave out. */
  leaveOut(folders: readonly string[]): Promise<ReadonlySet<string>>
  /** What to remember of the moment when something happens; `onHint` gets it a little later. */
  mark(): Mark
  /** Something happened to a file, which may be gone. */
  onHint(path: string, mark: Mark): void
  /**
   * A folder is gone, or too much happened in it to hear everything; hints for files that were there at the start come
   * separately.
   */
  onUnsure(folder: string, mark: Mark): void
  /** So much happened that hints were lost. */
  onLost(): void
  mostFolders?: number
  mostFiles?: number
  mostHints?: number
}

/**
 * The system delivers all queued notices together, and keeps doing so while somebody writes faster than they are taken.
 * Above this many, a folder is no longer watched but read again after a pause, in milliseconds.
 */
export const mostNotices = 1000
const floodPause = 500
/** In milliseconds: how far back changes are looked for, since notices may be late and file times are coarse. */
const lookBack = 10_000
/** How many known files are processed between two turns of the event loop. */
const walkAtOnce = 10_000
/** Hints are processed in batches of this many, with a pause in milliseconds, so that a flood stalls nothing. */
const drainDelay = 50
export const drainAtOnce = 500
/** How many folders are read in parallel. */
const foldersAtOnce = 32

/** Called for each file: `size` in bytes, `changed` in milliseconds since the epoch. */
type TellFile = (path: string, size: number, changed: number) => void

/**
 * All files below a folder: their sizes at the start, and hints of what happens to them afterwards. Each folder has its
 * own watch, which also reports files that are renamed over. Leaves out nested repositories, node_modules, and what
 * `leaveOut` names.
 */
export class FolderTree<Mark> implements Disposable {
  readonly #options: Required<FolderTreeOptions<Mark>>
  readonly #sizes = new Map<string, number>()
  readonly #watches = new Map<string, FSWatcher>()
  #pending = new Map<string, Mark>()
  /** Notices in this turn of the event loop. */
  #notices = 0
  /** Folders to read again, with the time (since the epoch) and the mark of their flood. */
  readonly #floods = new Map<string, { since: number; mark: Mark }>()
  #floodTimer: NodeJS.Timeout | null = null
  #timer: NodeJS.Timeout | null = null
  #draining: Promise<void> | null = null
  #isPartial = false
  #disposed = false

  constructor(options: FolderTreeOptions<Mark>) {
    this.#options = { mostFolders: 10_000, mostFiles: 100_000, mostHints: 20_000, ...options }
  }

  /** Whether some of what is below the folder wasn't seen or isn't watched. */
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

  /** A file's size in bytes at the start; undefined if there was none. */
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

  /** Watches folders and everything below, and reports each file. */
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

  /** Watches one folder, then reads it, so that nothing is missed in between. Returns its subfolders. */
  async #read(folder: string, tell: TellFile): Promise<string[]> {
    if (!this.#watch(folder)) return []
    const below: string[] = []
    try {
      const entries = await readdir(folder, { withFileTypes: true })
      // A nested repository has its own history.
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
      // A folder that is already gone doesn't matter; running out of watches does.
      if (systemCode(error) !== 'ENOENT') this.#isPartial = true
      return false
    }
  }

  #unwatch(folder: string): void {
    this.#watches.get(folder)?.close()
    this.#watches.delete(folder)
  }

  /** Counts a notice. A folder with too many is no longer watched until it has been read again. */
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

  /** Watches flooded folders again and finds out what has changed in them. */
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
    // The listener may know of files that came after the start.
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

  /** Reports everything heard so far. */
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

  /** Finds out whether a hint is about a file, or a folder with everything in it. */
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

  /** A folder is gone, with everything in it. */
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
  const found = await factsOf(path)
  if (found === null) return 'absent'
  return found.isFile() ? 'file' : found.isDirectory() ? 'folder' : 'other'
}

async function factsOf(path: string): Promise<Stats | null> {
  try {
    return await lstat(path)
  } catch (error) {
    if (systemCode(error) === '') throw error
    return null
  }
}
