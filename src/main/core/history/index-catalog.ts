import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseJson } from '../../../shared/json'
import type { Disposable } from '../../../shared/lifetime'
import { writeFileAtomically } from '../files/atomic-write'
import { systemCode } from '../files/file-failure'
import { privateFileMode } from '../platform/file-modes'
import { type FileStamp, isSameFile } from './file-stamp'
import type { IndexedFile } from './session-indexer'
import type { SessionSummary } from './session-summary'

/**
 * Of what is kept; another one is made anew. To be raised with each change of `CatalogEntry` and of what it holds: a test
 * holds its shape.
 */
const version = 3
/** What stands before the sum of the sessions' text, */
const head = Buffer.from(`{"version":${version},"sum":"`)
/** and between that and the text; the whole file is JSON. */
const middle = Buffer.from('","sessions":')
const end = '}'

/** What is kept of a session: its summary and its figures, each with the file that they are of. */
export interface CatalogEntry {
  path: string
  summary: { stamp: FileStamp; summary: SessionSummary } | null
  indexed: IndexedFile | null
}

/** What has changed is written after so many milliseconds, together with what comes until then. */
const gathering = 3000

/**
 * What is known of all sessions, in one file that is read at the start. It is a copy of what the sessions' files say:
 * where it cannot be read, it is made anew. Nobody but this class writes it, and a sum over its text says that nothing
 * has changed since: that takes a tenth of the time in which a schema looks at each number of 500 sessions, which is
 * several times as long as reading them takes.
 */
export class IndexCatalog implements Disposable {
  readonly #path: string
  readonly #entries = new Map<string, CatalogEntry>()
  #timer: NodeJS.Timeout | undefined
  #writing: Promise<unknown> = Promise.resolve()
  #isOver = false

  constructor(folder: string) {
    this.#path = join(folder, 'index.json')
  }

  /**
   * Reads what was kept; nothing where there is none, or it is of another version. At once: it is a thousandth of the
   * sessions' size, and the four steps of a read in turns take longer than all of it when a window is being opened.
   */
  load(): void {
    const bytes = readIfThere(this.#path)
    const sessions = bytes && checkedSessions(bytes)
    if (sessions === null) return
    for (const [id, known] of Object.entries(parseJson(sessions) ?? {}))
      this.#entries.set(id, known as CatalogEntry)
  }

  get all(): [id: string, known: CatalogEntry][] {
    return [...this.#entries]
  }

  /** What is known of the session whose file has this path. */
  of(id: string, path: string): CatalogEntry | null {
    const known = this.#entries.get(id)
    return known?.path === path ? known : null
  }

  indexed(id: string): IndexedFile | null {
    return this.#entries.get(id)?.indexed ?? null
  }

  setSummary(id: string, path: string, given: NonNullable<CatalogEntry['summary']>): void {
    const known = this.of(id, path)
    if (known?.summary && isSameFile(known.summary.stamp, given.stamp)) return
    this.#set(id, { path, summary: given, indexed: known?.indexed ?? null })
  }

  setIndexed(id: string, path: string, given: IndexedFile | null): void {
    this.#set(id, { path, summary: this.of(id, path)?.summary ?? null, indexed: given })
  }

  forget(id: string): void {
    if (this.#entries.delete(id)) this.#writeSoon()
  }

  /** Writes what has not been written yet. */
  async flush(): Promise<void> {
    if (this.#timer) this.#write()
    await this.#writing
  }

  /** Nothing is written from now on. */
  dispose(): void {
    this.#isOver = true
    clearTimeout(this.#timer)
    this.#timer = undefined
  }

  #set(id: string, known: CatalogEntry): void {
    this.#entries.set(id, known)
    this.#writeSoon()
  }

  #writeSoon(): void {
    if (this.#isOver) return
    this.#timer ??= setTimeout(() => this.#write(), gathering).unref()
  }

  #write(): void {
    clearTimeout(this.#timer)
    this.#timer = undefined
    this.#writing = this.#writing.then(() => {
      const sessions = Buffer.from(JSON.stringify(Object.fromEntries(this.#entries)))
      const text = Buffer.concat([head, Buffer.from(sumOf(sessions)), middle, sessions, Buffer.from(end)])
      // A failure costs nothing but time: what is missing is made again after the next start.
      return writeFileAtomically(this.#path, text, {
        mode: privateFileMode,
        createParents: true,
      })
    })
  }
}

function readIfThere(path: string): Buffer | null {
  try {
    return readFileSync(path)
  } catch (error) {
    if (systemCode(error) === '') throw error
    return null
  }
}

/** The text of the sessions, if it is what was written; null for any other file. */
function checkedSessions(bytes: Buffer): string | null {
  const from = head.length + sumLength + middle.length
  if (bytes.length < from + end.length || !bytes.subarray(0, head.length).equals(head)) return null
  const sum = bytes.toString('latin1', head.length, head.length + sumLength)
  const sessions = bytes.subarray(from, bytes.length - end.length)
  return sumOf(sessions) === sum ? sessions.toString('utf8') : null
}

/** In hexadecimal digits. */
const sumLength = 64

function sumOf(bytes: Buffer): string {
  return createHash('sha256').update(bytes).digest('hex')
}
