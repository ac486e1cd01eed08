import { cp, mkdir, readdir, readFile, rename, rm, truncate } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { Emitter, type Disposable } from '../../../shared/lifetime'
import type { Result } from '../../../shared/result'
import type { FileFailure } from '../files/file-failure'
import { privateFolderMode } from '../platform/file-modes'
import { BackupFile, type KeptText, type Unsaved, backupName, cannotKeep } from './backup-file'
import { readLog } from './backup-log'

interface Pending {
  read: () => KeptText | undefined
  timer: NodeJS.Timeout
}

/** One file's backup and all work on it, in order: a drop must not overtake a write. */
interface Entry {
  file: BackupFile
  work: Promise<void>
}

/** For tests: how long typing is collected, in milliseconds, and how large a log may grow, in bytes. */
export interface BackupOptions {
  delay?: number
  shortLog?: number
}

/** In milliseconds: text is on disk after at most this long, plus one write. */
const defaultDelay = 20
/** How many files are backed up; more are not. */
const mostFiles = 1000

/**
 * Keeps unsaved text across a crash, in a folder of the data directory. What was typed is added on every pause, which
 * takes no longer for a long file (see BackupFile). A backup goes when its text is saved or given up, but not when its
 * document closes: opening it again brings the text back.
 */
export class Backups implements Disposable {
  readonly #folder: string
  readonly #delay: number
  readonly #shortLog: number | undefined
  readonly #pending = new Map<string, Pending>()
  readonly #kept = new Set<string>()
  readonly #damage: string[] = []
  readonly #entries = new Map<string, Entry>()
  #disposed = false
  readonly #failed = new Emitter<FileFailure>()
  /** A backup couldn't be written, so the text is only in memory. */
  readonly onFailure = this.#failed.on

  private constructor(folder: string, { delay = defaultDelay, shortLog }: BackupOptions) {
    this.#folder = folder
    this.#delay = delay
    this.#shortLog = shortLog
  }

  /** Opens the folder, creating it if needed, and finds out which files have unsaved text in it. */
  static async open(folder: string, options: BackupOptions = {}): Promise<Backups> {
    const backups = new Backups(folder, options)
    await mkdir(folder, { recursive: true, mode: privateFolderMode })
    for (const name of await readdir(folder)) await backups.#find(name)
    const names = await readdir(folder)
    // Copies without a log are left over from an interrupted removal.
    const logs = new Set(names.filter((name) => name.endsWith('.log')).map(beginningOf))
    for (const name of names) {
      if (name.endsWith('.copy') && !logs.has(beginningOf(name)))
        await rm(join(folder, name), { force: true }).catch(() => undefined)
    }
    return backups
  }

  /** Sentences about what was found damaged; each is returned once. */
  takeDamage(): string[] {
    return this.#damage.splice(0)
  }

  /** Files with unsaved text on disk. */
  get paths(): string[] {
    return [...this.#kept]
  }

  /** Backs up what `read` returns after a short delay, once for many calls; nothing if it then returns undefined. */
  keep(path: string, read: () => KeptText | undefined): void {
    if (this.#disposed) return
    const waiting = this.#pending.get(path)
    if (waiting) {
      waiting.read = read
      return
    }
    const timer = setTimeout(() => this.#start(path), this.#delay)
    this.#pending.set(path, { read, timer })
  }

  /** Forgets a file's unsaved text: it was saved or given up. */
  drop(path: string): void {
    clearTimeout(this.#pending.get(path)?.timer)
    this.#pending.delete(path)
    if (!this.#kept.has(path)) return
    this.#queue(path, (file) => file.remove())
    this.#kept.delete(path)
  }

  /** Writes everything that waits; resolves when it is on disk. */
  async flush(): Promise<void> {
    for (const path of this.#pending.keys()) this.#start(path)
    await Promise.all(
      [...this.#entries.values()].map(async ({ work, file }) => {
        await work
        await file.settle()
      }),
    )
    if (this.#pending.size > 0) await this.flush()
  }

  /** A file's unsaved text; undefined if there is none, or it can't be read. */
  async read(path: string): Promise<Unsaved | undefined> {
    this.#start(path)
    if (!this.#kept.has(path)) return undefined
    const { file, work } = this.#entryOf(path)
    await work
    if (!this.#kept.has(path)) return undefined
    const unsaved = await file.read()
    if (unsaved) return unsaved
    this.#kept.delete(path)
    try {
      this.#failed.emit(lostText(path, await this.#setAside(backupName(path), rename)))
    } catch {
      // It stays as it is, and like any file that isn't ours it isn't overwritten.
      this.#entries.delete(path)
      this.#failed.emit(lostText(path, this.#folder))
    }
    return undefined
  }

  /** Writes nothing that still waits: call `flush` first. */
  dispose(): void {
    this.#disposed = true
    for (const { timer } of this.#pending.values()) clearTimeout(timer)
    this.#pending.clear()
    this.#failed.dispose()
  }

  /** Finds out whose text a log in the folder holds, and whether all of it can be read. */
  async #find(name: string): Promise<void> {
    if (!name.endsWith('.log')) return
    let path: string | null = null
    try {
      const file = join(this.#folder, name)
      const content = await readFile(file, 'utf8')
      const log = readLog(content)
      path = log?.path ?? null
      if (!log) this.#damage.push(lostText(null, await this.#setAside(beginningOf(name), rename)).message)
      else if (log.end < content.length) {
        this.#damage.push(damagedText(log.path, await this.#setAside(beginningOf(name), cp)))
        await truncate(file, Buffer.byteLength(content.slice(0, log.end)))
      }
      if (log) this.#kept.add(log.path)
    } catch {
      // The file stays as it is: what can't be read or copied now must not be overwritten.
      this.#damage.push(lostText(path, this.#folder).message)
    }
  }

  /** Moves or copies one backup's files to a folder of their own; returns its path. */
  async #setAside(beginning: string, take: (from: string, to: string) => Promise<void>): Promise<string> {
    const aside = join(dirname(this.#folder), 'unreadable-unsaved')
    await mkdir(aside, { recursive: true, mode: privateFolderMode })
    const taken = new Set(await readdir(aside))
    let name = beginning
    for (let number = 2; taken.has(name); number++) name = `${beginning}-${number}`
    await mkdir(join(aside, name), { mode: privateFolderMode })
    for (const file of await readdir(this.#folder)) {
      if (beginningOf(file) === beginning) await take(join(this.#folder, file), join(aside, name, file))
    }
    return join(aside, name)
  }

  #start(path: string): void {
    const pending = this.#pending.get(path)
    if (!pending) return
    clearTimeout(pending.timer)
    this.#pending.delete(path)
    const unsaved = pending.read()
    if (!unsaved) return this.drop(path)
    if (!this.#kept.has(path) && this.#kept.size >= mostFiles) {
      const message = `Too many files have unsaved changes, so ${path} isn’t backed up for a crash. Save some of them.`
      return this.#failed.emit({ code: 'failed', message })
    }
    this.#queue(path, (file) => file.write(unsaved))
    this.#kept.add(path)
  }

  /** A failure is told and ends nothing: what is queued afterwards still runs. */
  #queue(path: string, task: (file: BackupFile) => Promise<Result<unknown, FileFailure>>): void {
    const entry = this.#entryOf(path)
    entry.work = entry.work
      .then(() => task(entry.file))
      .catch(() => cannotKeep(path))
      .then((done) => {
        if (!done.ok) this.#failed.emit(done.failure)
      })
  }

  #entryOf(path: string): Entry {
    const known = this.#entries.get(path)
    if (known) return known
    const tell = (failure: FileFailure) => this.#failed.emit(failure)
    const file = new BackupFile(this.#folder, path, {
      isKept: this.#kept.has(path),
      tell,
      shortLog: this.#shortLog,
    })
    const entry = { file, work: Promise.resolve() }
    this.#entries.set(path, entry)
    return entry
  }
}

function beginningOf(name: string): string {
  return name.slice(0, name.indexOf('.'))
}

/** `copy`: where the backup is kept as it was found. */
function damagedText(path: string, copy: string): string {
  return `Unsaved text of ${path} was damaged on disk. Everything up to the damage was restored; the rest is in ${copy}.`
}

/** Nothing can be restored; `path` is its file's, if known. */
function lostText(path: string | null, copy: string): FileFailure {
  const whose = path === null ? 'a file' : path
  const message = `Unsaved text of ${whose} was damaged on disk and can’t be restored. What’s left is in ${copy}.`
  return { code: 'failed', message }
}
