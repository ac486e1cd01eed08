import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import { parseJson } from '../../../shared/json'
import type { Disposable } from '../../../shared/lifetime'
import { writeFileAtomically } from '../files/atomic-write'
import { privateFileMode } from '../platform/file-modes'
import { type FileStamp, isSameFile } from './file-stamp'
import type { IndexedFile } from './session-indexer'
import type { SessionSummary } from './session-summary'

const count = z.number().int().min(0)
const stamp = z.object({ size: count, changedAt: z.number(), inode: z.number() })
const words = z.string().nullable()
const number = z.number().nullable()
const summary = z.object({
  title: words,
  titleBy: z.enum(['person', 'agent']).nullable(),
  firstPrompt: words,
  lastPrompt: words,
  folder: words,
  branch: words,
  model: words,
  version: words,
  startedAt: number,
  lastAt: number,
  activity: z.enum(['working', 'idle', 'unknown']),
  costUSD: number,
})
const usage = z.object({
  input: z.number(),
  output: z.number(),
  cacheRead: z.number(),
  cacheWrite: z.number(),
})
const figures = z.object({
  messages: count,
  costUSD: number,
  isCostOfAll: z.boolean(),
  forks: count,
  usage: usage.nullable(),
})
const part = { stamp, to: count, mark: z.string(), tallyBytes: count, own: figures }
const place = { uuid: words, offset: count }
const agent = z.object({
  ...part,
  card: z.object({ ...place, uuid: z.string() }),
  above: z.array(z.object({ agent: z.string(), ...place })),
})
const indexed = z.object({ ...part, textBytes: count, agents: z.record(z.string(), agent), figures })
const entry = z.object({
  path: z.string(),
  summary: z.object({ stamp, summary }).nullable(),
  indexed: indexed.nullable(),
})
/** Of what is kept; another one is made anew. */
const version = 2
const file = z.object({ version: z.literal(version), sessions: z.record(z.string(), entry) })

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
 * where it cannot be read, it is made anew.
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

  /** Reads what was kept; nothing where there is none, or it is of another version. */
  async load(): Promise<void> {
    const text = await readFile(this.#path, 'utf8').catch(() => null)
    const read = text === null ? null : file.safeParse(parseJson(text))
    if (!read?.success) return
    for (const [id, known] of Object.entries(read.data.sessions)) this.#entries.set(id, known)
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
      const text = JSON.stringify({ version, sessions: Object.fromEntries(this.#entries) })
      // A failure costs nothing but time: what is missing is made again after the next start.
      return writeFileAtomically(this.#path, Buffer.from(text), {
        mode: privateFileMode,
        createParents: true,
      })
    })
  }
}
