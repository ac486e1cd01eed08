import { cp, mkdir, readdir, readFile, rename, rm, truncate } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { Emitter, type Disposable } from '../../../shared/lifetime'
import type { FileFailure } from '../files/file-failure'
import { privateFolderMode } from '../platform/file-modes'
import { BackupFile, type KeptText, type Unsaved, backupName } from './backup-file'
import { readLog } from './backup-log'

interface Pending {
  read: () => KeptText | undefined
  timer: NodeJS.Timeout
}

/** The backup of one file, and all work on it, one after another: a drop must not overtake a write. */
interface Entry {
  file: BackupFile
  work: Promise<void>
}

/** For tests: how long typing is gathered, in milliseconds, and up to which size a log is let grow, in bytes. */
export interface BackupOptions {
  delay?: number
  shortLog?: number
}

/** Text is on disk at the latest so many milliseconds after it was typed, plus the time of one write. */
const defaultDelay = 20
/** More than this is not kept: files. */
const mostFiles = 1000

/**
 * Keeps unsaved text over a crash, in a folder of the data directory: what was typed is added on every pause, and how
 * long that takes does not grow with the file (see BackupFile). A backup goes when its text is saved or given up, and
 * not when its document closes: opening it again brings the text back.
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
  /** A backup could not be written; the text is in memory only. */
  readonly onFailure = this.#failed.on

  private constructor(folder: string, { delay = defaultDelay, shortLog }: BackupOptions) {
    this.#folder = folder
    this.#delay = delay
    this.#shortLog = shortLog
  }

  /** Opens the folder, which is made if need be, and reads which files have unsaved text in it. */
  static async open(folder: string, options: BackupOptions = {}): Promise<Backups> {
    const backups = new Backups(folder, options)
    await mkdir(folder, { recursive: true, mode: privateFolderMode })
    for (const name of await readdir(folder)) await backups.#find(name)
    const names = await readdir(folder)
    // Copies whose log is gone are left over from a removal that was cut short.
    const logs = new Set(names.filter((name) => name.endsWith('.log')).map(beginningOf))
    for (const name of names) {
      if (name.endsWith('.copy') && !logs.has(beginningOf(name)))
        await rm(join(folder, name), { force: true })
    }
    return backups
  }

  /** What was found damaged, as sentences; each is given once. */
  takeDamage(): string[] {
    return this.#damage.splice(0)
  }

  /** Files with unsaved text that is kept on disk. */
  get paths(): string[] {
    return [...this.#kept]
  }

  /** Keeps what `read` gives, a moment later and once for many calls. Undefined by then: there is nothing to keep. */
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

  /** Writes what waits, now, and settles when all is on disk. */
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

  /** The unsaved text of a file, or undefined where there is none (or none that can be read). */
  async read(path: string): Promise<Unsaved | undefined> {
    this.#start(path)
    if (!this.#kept.has(path)) return undefined
    const { file, work } = this.#entryOf(path)
    await work
    if (!this.#kept.has(path)) return undefined
    const unsaved = await file.read()
    if (unsaved) return unsaved
    const copy = await this.#setAside(backupName(path), rename)
    this.#kept.delete(path)
    this.#failed.emit(lostText(path, copy))
    return undefined
  }

  /** Stops the clock. What waits is not written: `flush` first. */
  dispose(): void {
    this.#disposed = true
    for (const { timer } of this.#pending.values()) clearTimeout(timer)
    this.#pending.clear()
    this.#failed.dispose()
  }

  /** Finds out whose text a file of the folder holds, and whether all of it can be read. */
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
      // It stays as it is: what cannot be read or copied now must not be written over.
      this.#damage.push(lostText(path, this.#folder).message)
    }
  }

  /** Takes the files of one backup, or copies of them, to a folder of their own. */
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
    this.#queue(path, async (file) => {
      const written = await file.write(unsaved)
      if (!written.ok) this.#failed.emit(written.failure)
    })
    this.#kept.add(path)
  }

  /** Each task reports its own failures, so the chain never breaks. */
  #queue(path: string, task: (file: BackupFile) => Promise<void>): void {
    const entry = this.#entryOf(path)
    entry.work = entry.work.then(() => task(entry.file))
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

/** Everything up to the damage is there; `copy` holds it as it was found. */
function damagedText(path: string, copy: string): string {
  return `Unsaved text of ${path} was damaged on disk. Everything up to the damage was restored; the rest is in ${copy}.`
}

/** Nothing of it can be restored; `path` is its file's, as far as that can be told. */
function lostText(path: string | null, copy: string): FileFailure {
  const whose = path === null ? 'a file' : path
  const message = `Unsaved text of ${whose} was damaged on disk and can’t be restored. What’s left is in ${copy}.`
  return { code: 'failed', message }
}
