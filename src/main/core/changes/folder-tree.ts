import { type FSWatcher, watch } from 'node:fs'
import { lstat, readdir } from 'node:fs/promises'
import { join, sep } from 'node:path'
import type { Disposable } from '../../../shared/lifetime'
import { isTemporaryName } from '../files/atomic-write'
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
  /** A folder is gone; hints of the files that were in it at the start come by themselves. */
  onGone(folder: string, mark: Mark): void
  /** So much happened that hints were lost. */
  onLost(): void
  mostFolders?: number
  mostFiles?: number
  mostHints?: number
}

/** Hints are worked off together, so many at a time with a pause in milliseconds, so that a flood stalls nothing. */
const drainDelay = 50
const drainAtOnce = 500
/** Folders that are read at once. */
const foldersAtOnce = 32

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
  #timer: NodeJS.Timeout | null = null
  #draining = false
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
    for (const watcher of this.#watches.values()) watcher.close()
    this.#watches.clear()
    this.#pending.clear()
  }

  /** Watches folders and all below, and tells of each file with its size. */
  async #enter(folders: readonly string[], tell: (path: string, size: number) => void): Promise<void> {
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
  async #read(folder: string, tell: (path: string, size: number) => void): Promise<string[]> {
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
          const size = await sizeOfFile(path)
          if (size !== null) tell(path, size)
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
        if (name !== null && !isLeftOutName(name) && !isTemporaryName(name)) this.#hint(join(folder, name))
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

  #hint(path: string): void {
    if (this.#pending.size >= this.#options.mostHints) {
      if (!this.#pending.has(path)) this.#options.onLost()
      return
    }
    this.#pending.set(path, this.#options.mark())
    if (!this.#draining) this.#timer ??= setTimeout(() => void this.#drain(), drainDelay).unref()
  }

  async #drain(): Promise<void> {
    this.#timer = null
    this.#draining = true
    try {
      const some: [string, Mark][] = []
      for (const entry of this.#pending) {
        if (some.length >= drainAtOnce) break
        this.#pending.delete(entry[0])
        some.push(entry)
      }
      await Promise.all(some.map(([path, mark]) => this.#look(path, mark)))
    } finally {
      this.#draining = false
      if (this.#pending.size > 0 && !this.#disposed) {
        this.#timer ??= setTimeout(() => void this.#drain(), drainDelay).unref()
      }
    }
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
    if (!this.#disposed) this.#options.onGone(folder, mark)
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

async function sizeOfFile(path: string): Promise<number | null> {
  try {
    return (await lstat(path)).size
  } catch (error) {
    if (systemCode(error) === '') throw error
    return null
  }
}
