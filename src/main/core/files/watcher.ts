import { existsSync, watch, type BigIntStats, type FSWatcher } from 'node:fs'
import { stat } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { disposable, Emitter, type Disposable } from '../../../shared/lifetime'
import { isTemporaryName } from '../platform/atomic-replace'
import { systemCode } from './file-failure'

/** `changed`: the file exists and may have new content. `absent`: it no longer exists. */
export type FileEvent = { kind: 'changed'; path: string } | { kind: 'absent'; path: string }

/** Milliseconds between regular looks where the system gives no notices. */
const defaultInterval = 500
/** Where it does, a regular look is so many times rarer: notices get lost, but seldom. */
const rarer = 4
/** Milliseconds between two looks at a file, however often it is written. */
const fileSpacing = 30
/** Milliseconds within which a folder's changes are combined. */
const folderSpacing = 50
/** Milliseconds for which activity in folders is collected. */
const activitySpacing = 100
/** In milliseconds. Many programs save by deleting and recreating, so a file is only gone after this long. */
const absenceGrace = 100
/** How many files a regular look checks in parallel. */
const together = 32
/** In milliseconds: a stat this soon after a change may look the same after the next change. */
const clockGrain = 50

/** What is watched, who listens, and how it looked last time. */
interface Target {
  readonly path: string
  /**
   * The folder whose notices are about it, and its name there; null: every notice counts. A file is watched by its
   * folder, so that the watch survives a rename over it.
   */
  readonly folder: string
  readonly name: string | null
  readonly kind: 'file' | 'folder'
  readonly events: Emitter<FileEvent>
  signature: string
  looked: number
  timer: NodeJS.Timeout | undefined
  looking: boolean
  again: boolean
  absentSince: number | undefined
  /** Resolves when the first look is done. */
  ready: Promise<void>
}

/** Which targets a regular look is at. */
type Which = (target: Target) => boolean
const everything: Which = () => true

/**
 * Watches single files, and folders one level deep. Each is looked at immediately when the system reports something in its
 * folder, and every two seconds; a path may be missing, replaced, deleted and recreated. A notice only means "look": the
 * same content may be reported twice, and quick changes are combined. For a missing path, the nearest existing folder
 * above is watched. Where the system gives no notices (too many watches), each is looked at every half second.
 *
 * Uses Node's own watch on the parent folder rather than chokidar, which first reads and stats everything in a folder;
 * here only requested paths are ever looked at.
 */
export class FileWatcher implements Disposable {
  #targets = new Map<string, Target>()
  /** The same by folder, since notices may come by the ten thousand in a second. */
  #targetsIn = new Map<string, Set<Target>>()
  #folders = new Map<string, FSWatcher>()
  #poll: NodeJS.Timeout | undefined
  /** Runs while there are folders without notices. */
  #quickPoll: NodeJS.Timeout | undefined
  /** Which regular looks are under way: a slow one keeps back its own next, not the other kind. */
  readonly #polling = new Set<Which>()
  #disposed = false
  readonly #interval: number
  readonly #activity = new Emitter<ReadonlySet<string>>()
  /**
   * Emits the watched folders in which anything happened, even if nothing watched has changed: a file in it was
   * written, for example. Depends on the system's notices, collected for a tenth of a second.
   */
  readonly onActivity = this.#activity.on
  #active = new Set<string>()
  #activityTimer: NodeJS.Timeout | undefined

  constructor({ interval = defaultInterval } = {}) {
    this.#interval = interval
  }

  /** Reports every change after this promise has settled. The path should be real (see `resolveRealPath`). */
  watchFile(path: string, listener: (event: FileEvent) => void): Promise<Disposable> {
    return this.#watch(path, 'file', listener)
  }

  /** Reports when entries come to or go from a folder, or the folder itself does. The caller lists it again. */
  watchDirectory(path: string, listener: () => void): Promise<Disposable> {
    return this.#watch(path, 'folder', () => listener())
  }

  dispose(): void {
    this.#disposed = true
    clearInterval(this.#poll)
    clearInterval(this.#quickPoll)
    clearTimeout(this.#activityTimer)
    this.#activity.dispose()
    for (const target of this.#targets.values()) clearTimeout(target.timer)
    for (const watcher of this.#folders.values()) watcher.close()
    this.#targets.clear()
    this.#targetsIn.clear()
    this.#folders.clear()
  }

  async #watch(path: string, kind: Target['kind'], hear: (event: FileEvent) => void): Promise<Disposable> {
    const key = `${kind} ${path}`
    let target = this.#targets.get(key)
    if (!target) {
      target = {
        path,
        folder: kind === 'folder' ? path : dirname(path),
        name: kind === 'folder' ? null : basename(path),
        kind,
        events: new Emitter(),
        signature: 'unknown',
        looked: 0,
        timer: undefined,
        looking: false,
        again: false,
        absentSince: undefined,
        ready: Promise.resolve(),
      }
      this.#targets.set(key, target)
      const siblings = this.#targetsIn.get(target.folder) ?? new Set()
      this.#targetsIn.set(target.folder, siblings.add(target))
      this.#listen(target.folder)
      this.#poll ??= setInterval(() => void this.#lookAt(everything), this.#interval * rarer).unref()
      target.ready = firstLook(target)
    }
    const watched = target
    // Listens before the first look is over, so that a listener who leaves meanwhile is counted.
    const heard = watched.events.on(hear)
    await watched.ready
    return disposable(() => {
      heard.dispose()
      if (watched.events.size === 0) this.#forget(key, watched)
    })
  }

  #forget(key: string, target: Target): void {
    if (this.#targets.get(key) !== target) return
    this.#targets.delete(key)
    clearTimeout(target.timer)
    const { folder } = target
    const siblings = this.#targetsIn.get(folder)
    siblings?.delete(target)
    if (siblings && siblings.size > 0) return
    this.#targetsIn.delete(folder)
    this.#folders.get(folder)?.close()
    this.#folders.delete(folder)
    if (this.#targets.size > 0) return
    clearInterval(this.#poll)
    this.#poll = undefined
  }

  /** Asks the system for notices about a folder. Without them the regular looks must do. */
  #listen(folder: string): void {
    if (this.#disposed || this.#folders.has(folder)) return
    const watcher = watchNearest(folder, {
      inside: (name) => this.#hint(folder, name),
      again: () => {
        const before = this.#folders.get(folder)
        if (!before || before !== watcher) return
        this.#unlisten(folder, before)
        this.#listen(folder)
        this.#hint(folder, null)
      },
    })
    if (!watcher) return this.#lookQuickly()
    this.#folders.set(folder, watcher)
    watcher.on('error', () => {
      this.#unlisten(folder, watcher)
      this.#lookQuickly()
    })
  }

  #unlisten(folder: string, watcher: FSWatcher): void {
    if (this.#folders.get(folder) === watcher) this.#folders.delete(folder)
    watcher.close()
  }

  readonly #isUnheard: Which = ({ folder }) => !this.#folders.has(folder)

  #lookQuickly(): void {
    this.#quickPoll ??= setInterval(() => {
      if ([...this.#targets.values()].some(this.#isUnheard)) return void this.#lookAt(this.#isUnheard)
      clearInterval(this.#quickPoll)
      this.#quickPoll = undefined
    }, this.#interval).unref()
  }

  #hint(folder: string, name: string | null): void {
    if (name !== null && isTemporaryName(name)) return
    for (const target of this.#targetsIn.get(folder) ?? []) {
      if (target.name === null || name === null || name === target.name) this.#schedule(target)
    }
    if (this.#activity.size === 0 || this.#disposed) return
    this.#active.add(folder)
    this.#activityTimer ??= setTimeout(() => {
      this.#activityTimer = undefined
      const active = this.#active
      this.#active = new Set()
      this.#activity.emit(active)
    }, activitySpacing).unref()
  }

  #schedule(target: Target): void {
    if (target.timer || this.#disposed) return
    const wait = target.kind === 'folder' ? folderSpacing : target.looked + fileSpacing - performance.now()
    target.timer = setTimeout(() => void this.#look(target), Math.max(0, wait)).unref()
  }

  async #lookAt(which: Which): Promise<void> {
    if (this.#polling.has(which)) return
    this.#polling.add(which)
    try {
      const targets = [...this.#targets.values()].filter(which)
      // Answers that come together wake the process only once.
      for (let at = 0; at < targets.length && !this.#disposed; at += together)
        await Promise.all(targets.slice(at, at + together).map((target) => this.#lookRegularly(target)))
    } finally {
      this.#polling.delete(which)
    }
  }

  async #lookRegularly(target: Target): Promise<void> {
    const { folder } = target
    // A change without a notice: the folder itself was replaced, so its watch no longer hears anything.
    if ((await this.#look(target)) && this.#folders.has(folder) && !target.timer) {
      const deaf = this.#folders.get(folder)
      if (deaf) this.#unlisten(folder, deaf)
    }
    if (this.#targets.has(`${target.kind} ${target.path}`)) this.#listen(folder)
  }

  /** Looks, and reports a change. Resolves to whether there was one. */
  async #look(target: Target): Promise<boolean> {
    clearTimeout(target.timer)
    target.timer = undefined
    if (target.looking) {
      target.again = true
      return false
    }
    target.looking = true
    let changed = false
    try {
      do {
        target.again = false
        target.looked = performance.now()
        const signature = await signatureOf(target)
        if (this.#targets.get(`${target.kind} ${target.path}`) !== target) return false
        if (this.#update(target, signature)) changed = true
      } while (target.again)
    } finally {
      target.looking = false
    }
    return changed
  }

  #update(target: Target, signature: string): boolean {
    if (signature !== 'absent') target.absentSince = undefined
    if (signature === target.signature) return false
    if (target.signature === 'unknown') {
      target.signature = signature
      return false
    }
    if (signature === 'absent') {
      target.absentSince ??= performance.now()
      const left = target.absentSince + absenceGrace - performance.now()
      if (left > 0) {
        target.timer ??= setTimeout(() => void this.#look(target), left + 1).unref()
        return false
      }
    }
    target.signature = signature
    const event: FileEvent = { kind: signature === 'absent' ? 'absent' : 'changed', path: target.path }
    target.events.emit(event)
    return true
  }
}

/**
 * Watches a folder, or, while it is missing, the nearest existing one above it. Null if the system gives no notices.
 */
function watchNearest(
  folder: string,
  hear: { inside: (name: string | null) => void; again: () => void },
): FSWatcher | null {
  let wanted: string | null = null
  for (let path = folder; ; path = dirname(path)) {
    const next = wanted
    try {
      const watcher = watch(path, { persistent: false }, (event, name) => {
        // Under its own name the folder itself is moved or deleted, so from now on nothing would be heard.
        if (event === 'rename' && name === basename(path)) hear.again()
        else if (next === null) hear.inside(name)
        else if (name === null || name === next) hear.again()
      })
      // It may have appeared just before.
      if (next !== null && existsSync(join(path, next))) queueMicrotask(hear.again)
      return watcher
    } catch (error) {
      const code = systemCode(error)
      if (code === '') throw error
      if ((code !== 'ENOENT' && code !== 'ENOTDIR') || dirname(path) === path) return null
    }
    wanted = basename(path)
  }
}

async function firstLook(target: Target): Promise<void> {
  const signature = await signatureOf(target)
  // A look caused by a notice may have been faster, and is then the newer one.
  if (target.signature === 'unknown') target.signature = signature
}

/**
 * How a path looks now. Two equal results mean that nothing has changed in between; `absent`: nothing is there. A
 * change within the clock's grain is marked, so that the next look, after that time, differs.
 */
async function signatureOf(target: Target): Promise<string> {
  let found: BigIntStats
  const now = Date.now()
  try {
    found = await stat(target.path, { bigint: true })
  } catch (error) {
    if (systemCode(error) === '') throw error
    return 'absent'
  }
  if (target.kind === 'folder' ? !found.isDirectory() : found.isDirectory()) return 'absent'
  const fresh = Math.abs(now - Number(found.mtimeMs)) < clockGrain ? ' fresh' : ''
  // A folder's size and status times also change with its entries, but its mtime is enough.
  if (target.kind === 'folder') return `${found.dev} ${found.ino} ${found.mtimeNs}${fresh}`
  return `${found.dev} ${found.ino} ${found.size} ${found.mtimeNs} ${found.ctimeNs} ${found.mode}${fresh}`
}
