import { createHash } from 'node:crypto'
import { mkdir, readdir, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { ChangeSet, type Text } from '@codemirror/state'
import { z } from 'zod'
import { changesBetween } from '../../../shared/diff'
import { Emitter, type Disposable } from '../../../shared/lifetime'
import { toText, type TextFacts } from '../../../shared/text'
import { writeFileAtomically } from '../files/atomic-write'
import type { FileFailure } from '../files/file-failure'
import { privateFileMode, privateFolderMode } from '../platform/file-modes'

/** Text that a person has typed and not saved. */
export interface Unsaved {
  /** Real path of the file. */
  path: string
  /** What the text began as: the disk's text, and its hash; null where no file was. */
  base: Text
  baseHash: string | null
  facts: TextFacts
  text: Text
}

interface Pending {
  read: () => Unsaved | undefined
  timer: NodeJS.Timeout
}

/** Text is on disk at the latest so many milliseconds after it was typed, plus the time of one write. */
const defaultDelay = 200
/** More than this is not kept: characters of changed text in one file, and files. */
const mostCharacters = 32 * 1024 * 1024
const mostFiles = 1000

/**
 * Keeps unsaved text over a crash, in a folder of the data directory. A file's base is stored once, its changes on
 * every pause in typing, each time whole and atomically, so there is no torn state. A backup goes when its text is
 * saved or given up, and not when its document closes: opening it again brings the text back.
 */
export class Backups implements Disposable {
  readonly #folder: string
  readonly #delay: number
  readonly #pending = new Map<string, Pending>()
  readonly #kept = new Set<string>()
  /** All work on the folder, one after another: drops must not overtake writes. */
  #work: Promise<void> = Promise.resolve()
  #disposed = false
  readonly #failed = new Emitter<FileFailure>()
  /** A backup could not be written; the text is in memory only. */
  readonly onFailure = this.#failed.on

  private constructor(folder: string, delay: number) {
    this.#folder = folder
    this.#delay = delay
  }

  /** Opens the folder, which is made if need be, and reads which files have unsaved text in it. */
  static async open(folder: string, { delay = defaultDelay } = {}): Promise<Backups> {
    const backups = new Backups(folder, delay)
    await mkdir(folder, { recursive: true, mode: privateFolderMode })
    for (const name of await readdir(folder)) {
      if (!name.endsWith('.json')) continue
      const stored = await backups.#readStored(join(folder, name))
      if (stored) backups.#kept.add(stored.path)
    }
    return backups
  }

  /** Files with unsaved text that is kept on disk. */
  get paths(): string[] {
    return [...this.#kept]
  }

  /** Keeps what `read` gives, a moment later and once for many calls. Undefined by then: there is nothing to keep. */
  keep(path: string, read: () => Unsaved | undefined): void {
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
    if (!this.#kept.delete(path)) return
    this.#queue(() => this.#remove(path))
  }

  /** Writes what waits, now, and settles when all is on disk. */
  async flush(): Promise<void> {
    for (let work; work !== this.#work; await work) {
      for (const path of this.#pending.keys()) this.#start(path)
      work = this.#work
    }
  }

  /** The unsaved text of a file, or undefined where there is none (or none that can be read). */
  async read(path: string): Promise<Unsaved | undefined> {
    this.#start(path)
    await this.#work
    if (!this.#kept.has(path)) return undefined
    const stored = await this.#readStored(this.#nameOf(path, 'json'))
    if (stored?.path !== path) return undefined
    try {
      const base = toText(JSON.parse(await readFile(this.#nameOf(path, 'base'), 'utf8')) as string)
      const text = ChangeSet.fromJSON(stored.changes).apply(base)
      return { path, base, baseHash: stored.baseHash, facts: stored.facts, text }
    } catch {
      return undefined
    }
  }

  /** Stops the clock. What waits is not written: `flush` first. */
  dispose(): void {
    this.#disposed = true
    for (const { timer } of this.#pending.values()) clearTimeout(timer)
    this.#pending.clear()
    this.#failed.dispose()
  }

  #start(path: string): void {
    const pending = this.#pending.get(path)
    if (!pending) return
    clearTimeout(pending.timer)
    this.#pending.delete(path)
    const unsaved = pending.read()
    if (!unsaved) return this.drop(path)
    if (!this.#kept.has(path) && this.#kept.size >= mostFiles) {
      return this.#tell(
        'failed',
        `Too many files have unsaved changes to keep ${path} over a crash. Save some of them.`,
      )
    }
    const changes = changesBetween(unsaved.base, unsaved.text)
    if (changes.newLength - changes.length > mostCharacters) {
      return this.#tell(
        'too-large',
        `The changes of ${path} are too large to be kept over a crash. Save the file.`,
      )
    }
    this.#kept.add(path)
    this.#queue(() => this.#write(unsaved, changes))
  }

  #queue(task: () => Promise<void>): void {
    // Each task reports its own failures, so the chain never breaks.
    this.#work = this.#work.then(task)
  }

  async #write(unsaved: Unsaved, changes: ChangeSet): Promise<void> {
    const baseFile = this.#nameOf(unsaved.path, 'base')
    const stored: Stored = {
      path: unsaved.path,
      baseHash: unsaved.baseHash,
      baseText: digest(unsaved.base.toString()),
      facts: unsaved.facts,
      changes: changes.toJSON() as unknown[],
    }
    const before = await this.#readStored(this.#nameOf(unsaved.path, 'json'))
    if (before?.baseText !== stored.baseText) {
      // Changes and base have to fit at any moment: the old changes go before the new base comes.
      await rm(this.#nameOf(unsaved.path, 'json'), { force: true })
      // As JSON, because half a surrogate pair would not survive UTF-8.
      if (!(await this.#put(unsaved.path, baseFile, JSON.stringify(unsaved.base.toString())))) return
    }
    await this.#put(unsaved.path, this.#nameOf(unsaved.path, 'json'), JSON.stringify(stored))
  }

  async #put(path: string, file: string, content: string): Promise<boolean> {
    const written = await writeFileAtomically(file, new Uint8Array(Buffer.from(content)), {
      mode: privateFileMode,
    })
    if (!written.ok)
      this.#tell(
        written.failure.code,
        `Unsaved changes of ${path} cannot be kept over a crash. Save the file.`,
      )
    return written.ok
  }

  async #remove(path: string): Promise<void> {
    await rm(this.#nameOf(path, 'json'), { force: true })
    await rm(this.#nameOf(path, 'base'), { force: true })
  }

  async #readStored(file: string): Promise<Stored | undefined> {
    try {
      return storedSchema.parse(JSON.parse(await readFile(file, 'utf8')))
    } catch {
      return undefined
    }
  }

  #nameOf(path: string, ending: 'json' | 'base'): string {
    return join(this.#folder, `${digest(path).slice(0, 32)}.${ending}`)
  }

  #tell(code: FileFailure['code'], message: string): void {
    this.#failed.emit({ code, message })
  }
}

const storedSchema = z.object({
  path: z.string(),
  baseHash: z.string().nullable(),
  /** Which base the changes start from, see the file beside. */
  baseText: z.string(),
  facts: z.object({
    encoding: z.enum(['utf-8', 'utf-16le', 'utf-16be']),
    bom: z.boolean(),
    eol: z.enum(['lf', 'crlf', 'cr', 'mixed']),
    finalNewline: z.boolean(),
  }),
  changes: z.array(z.unknown()),
})
type Stored = z.infer<typeof storedSchema>

function digest(content: string): string {
  return createHash('sha256').update(content, 'utf16le').digest('hex')
}
