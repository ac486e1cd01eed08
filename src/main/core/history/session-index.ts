import { chmod, mkdir, rm } from 'node:fs/promises'
import { Worker } from 'node:worker_threads'
import { type Disposable, Emitter, type Listen } from '../../../shared/lifetime'
import { readQuery } from '../../../shared/conversation/session-query'
import { privateFolderMode } from '../platform/file-modes'
import { type FileStamp, isSameFile } from './file-stamp'
import { IndexCatalog } from './index-catalog'
import type { SessionFigures } from './session-entry'
import type { IndexAnswer, IndexRequest } from './session-index-worker'
import indexWorker from './session-index-worker?modulePath'
import type { RememberedSession } from './session-list'
import type { SessionPlace } from './session-places'
import { SessionSearch } from './session-search'
import type { SessionSummary } from './session-summary'

/** A session as the index has to know it. */
export interface IndexableSession extends SessionPlace {
  /** How its file is now. */
  stamp: FileStamp
  summary: { stamp: FileStamp; summary: SessionSummary } | null
  /** Milliseconds since the epoch: the newest come first. */
  lastAt: number
}

/** A session that grows is read again at most so often, in milliseconds. */
const spacing = 3000
/** A thread that ends so often by itself is not begun again, until something else changes. */
const mostDeaths = 3
/** After so many milliseconds without work the thread ends. */
const idle = 60_000

/**
 * The index of all sessions: their summaries and figures, and what can be searched in them, kept in a folder of its own
 * that only the person may read. A thread reads the sessions one after another, the newest first.
 */
export class SessionIndex implements Disposable {
  readonly #folder: string
  readonly #spacing: number
  readonly #catalog: IndexCatalog
  readonly #figures = new Emitter<{ id: string; figures: SessionFigures }>()
  /** Hears what has been counted. */
  readonly onFigures: Listen<{ id: string; figures: SessionFigures }> = this.#figures.on
  readonly #sessions = new Map<string, IndexableSession>()
  /** Those that are not indexed as they are now. */
  readonly #waiting = new Set<string>()
  readonly #indexedAt = new Map<string, number>()
  readonly #searches = new Map<number, SessionSearch>()
  #current: IndexableSession | null = null
  #worker: Worker | null = null
  #idle: NodeJS.Timeout | undefined
  #later: NodeJS.Timeout | undefined
  #run = 0
  /** How often the thread has ended by itself without an answer between. */
  #deaths = 0
  /** Called at each step. */
  #settling: (() => void)[] = []
  #isOver = false

  /** `spacingMs`: a session that grows is read again at most so often. */
  constructor(folder: string, spacingMs = spacing) {
    this.#folder = folder
    this.#spacing = spacingMs
    this.#catalog = new IndexCatalog(folder)
  }

  /** Reads what is known of an earlier time. */
  async load(): Promise<void> {
    this.#catalog.load()
    await mkdir(this.#folder, { recursive: true, mode: privateFolderMode }).catch(() => undefined)
    await chmod(this.#folder, privateFolderMode).catch(() => undefined)
  }

  /** What is known of all sessions from an earlier time, as their files were then. */
  remembered(): RememberedSession[] {
    return this.#catalog.all.flatMap(([id, { path, summary, indexed }]) =>
      summary ? [{ id, path, ...summary, figures: indexed?.figures ?? null }] : [],
    )
  }

  /** Takes note of sessions that are new or others than before, and has them indexed. */
  note(sessions: readonly IndexableSession[]): void {
    if (this.#isOver) return
    for (const session of sessions) {
      const { id, path, stamp, summary } = session
      this.#sessions.set(id, session)
      if (summary) this.#catalog.setSummary(id, path, summary)
      const indexed = this.#catalog.of(id, path)?.indexed
      if (indexed && isSameFile(indexed.stamp, stamp)) this.#waiting.delete(id)
      else this.#waiting.add(id)
    }
    this.#deaths = 0
    this.#next()
  }

  /** Deletes what is kept of sessions that are gone. */
  forget(ids: readonly string[]): void {
    if (this.#isOver || ids.length === 0) return
    for (const id of ids) {
      this.#sessions.delete(id)
      this.#waiting.delete(id)
      this.#indexedAt.delete(id)
      this.#catalog.forget(id)
      for (const search of this.#searches.values()) search.passOver(id)
    }
    this.#ask({ kind: 'drop', ids })
  }

  /** All sessions have been noted: what is kept of others is deleted. */
  forgetOthers(): void {
    this.forget(this.#catalog.all.flatMap(([id]) => (this.#sessions.has(id) ? [] : id)))
  }

  /** How many of the sessions noted are indexed as they are now. */
  get progress(): { indexed: number; of: number } {
    return { indexed: this.#sessions.size - this.#waiting.size, of: this.#sessions.size }
  }

  /**
   * Looks for a text in sessions, in this order; those that are not indexed yet come when they are. It goes on until it
   * is disposed of. Null where nothing is asked.
   */
  search(typed: string, ids: readonly string[]): SessionSearch | null {
    if (this.#isOver || readQuery(typed) === null) return null
    const run = ++this.#run
    const search = new SessionSearch(ids, {
      bytesOf: (id) => this.#catalog.indexed(id)?.textBytes ?? null,
      begin: () => this.#ask({ kind: 'search', run, typed }),
      add: (sessions) => this.#ask({ kind: 'add', run, sessions }),
      end: () => {
        if (!this.#searches.delete(run)) return
        if (this.#worker) this.#ask({ kind: 'end', run })
        this.#restSoon()
      },
    })
    this.#searches.set(run, search)
    search.start()
    for (const id of ids) if (!this.#sessions.has(id)) search.passOver(id)
    return search
  }

  /** Settles when all that was noted is indexed and written. For tests and measurements. */
  async settled(): Promise<void> {
    while (!this.#isOver && (this.#current || this.#waiting.size > 0)) {
      await new Promise<void>((resolve) => this.#settling.push(resolve))
    }
    await this.#catalog.flush()
  }

  /** Writes what is known. */
  flush(): Promise<void> {
    return this.#catalog.flush()
  }

  /** Ends, and deletes all that is kept. */
  async erase(): Promise<void> {
    const worker = this.#worker
    for (const search of [...this.#searches.values()]) search.fail()
    this.dispose()
    await worker?.terminate()
    await this.#catalog.flush()
    await rm(this.#folder, { recursive: true, force: true }).catch(() => undefined)
  }

  dispose(): void {
    if (this.#isOver) return
    for (const search of [...this.#searches.values()]) search.dispose()
    this.#isOver = true
    clearTimeout(this.#idle)
    clearTimeout(this.#later)
    this.#catalog.dispose()
    void this.#worker?.terminate()
    this.#worker = null
    this.#figures.dispose()
  }

  /** Has the newest session that waits indexed, if it was not just now. */
  #next(): void {
    for (const go of this.#settling.splice(0)) go()
    if (this.#isOver || this.#current || this.#deaths >= mostDeaths) return
    const now = performance.now()
    let newest: IndexableSession | null = null
    let soonest = Number.POSITIVE_INFINITY
    for (const id of this.#waiting) {
      const session = this.#sessions.get(id)
      if (!session) continue
      const readyAt = (this.#indexedAt.get(id) ?? Number.NEGATIVE_INFINITY) + this.#spacing
      if (readyAt > now) soonest = Math.min(soonest, readyAt)
      else if (!newest || session.lastAt > newest.lastAt) newest = session
    }
    if (newest) {
      const { id, path } = newest
      this.#current = newest
      this.#ask({ kind: 'index', id, path, known: this.#catalog.of(id, path)?.indexed ?? null })
    } else if (soonest < Number.POSITIVE_INFINITY) {
      clearTimeout(this.#later)
      this.#later = setTimeout(() => this.#next(), soonest - now).unref()
    }
  }

  #hear(answer: IndexAnswer): void {
    this.#deaths = 0
    if (answer.kind === 'found') {
      this.#searches.get(answer.run)?.hear(answer)
      return
    }
    const { id, indexed } = answer
    const asked = this.#current
    this.#current = null
    const session = this.#sessions.get(id)
    this.#waiting.delete(id)
    if (session && asked && session.path === asked.path) {
      this.#indexedAt.set(id, performance.now())
      this.#catalog.setIndexed(id, session.path, indexed)
      // It has grown meanwhile. What cannot be read is asked for again when it changes.
      if (indexed && !isSameFile(indexed.stamp, session.stamp)) {
        if (indexed.stamp.changedAt <= session.stamp.changedAt) this.#waiting.add(id)
      }
      for (const search of this.#searches.values()) search.indexed(id)
      if (indexed) this.#figures.emit({ id, figures: indexed.figures })
    } else if (session) this.#waiting.add(id)
    this.#next()
    this.#restSoon()
  }

  #ask(request: IndexRequest): void {
    if (this.#isOver) return
    this.#worker ??= this.#open()
    this.#worker.postMessage(request)
    this.#restSoon()
  }

  #open(): Worker {
    const worker = new Worker(indexWorker, {
      name: 'greenlight session index',
      workerData: { folder: this.#folder },
    })
    worker.unref()
    worker.on('message', (answer: IndexAnswer) => this.#hear(answer))
    const gone = () => {
      if (this.#worker !== worker) return
      this.#worker = null
      this.#deaths++
      // Whatever it stumbled over is left alone until it changes.
      const { id } = this.#current ?? {}
      this.#current = null
      if (id !== undefined) {
        this.#waiting.delete(id)
        for (const search of this.#searches.values()) search.passOver(id)
      }
      for (const search of [...this.#searches.values()]) search.fail()
      this.#next()
    }
    worker.on('error', gone)
    worker.on('exit', gone)
    return worker
  }

  /** Nothing to do: the thread ends after a while. */
  #restSoon(): void {
    clearTimeout(this.#idle)
    if (this.#isOver || this.#current || this.#searches.size > 0) return
    this.#idle = setTimeout(() => {
      const worker = this.#worker
      this.#worker = null
      void worker?.terminate()
    }, idle).unref()
  }
}
