import { type FileHandle, open } from 'node:fs/promises'
import { type Disposable, Emitter, type Listen } from '../../../shared/lifetime'
import { writeCheckedLine } from '../files/checked-line'
import type { Log } from '../platform/log'
import type { Entry, LogMark } from './journal-format'
import type { Offer } from './review-content'
import { notRecorded } from './sentences'

interface Waiting {
  readonly json: string
  /** Dropped if it can't be written and flushed now. */
  readonly isNowOrNever: boolean
}

/** In bytes. After a failure, this much must be writable before the log counts as writable again. */
const probeBytes = 4096

/**
 * The log of one review. Entries are written immediately; those that come during a write follow in the next, in order.
 * What can't be written waits; the journal retries it, and so does every later entry.
 */
export class ReviewLog implements Disposable {
  readonly #path: string
  readonly #log: Log
  /** Creates the review's folder, after which its log can be written; null once that is done. */
  #begin: (() => Promise<LogMark>) | null
  #mark: LogMark
  #waiting: Waiting[] = []
  #isScheduled = false
  /** Something is written but not yet flushed to the disk. */
  #isUnflushed = false
  #after: ReviewLog | null = null
  #tail: Promise<boolean> = Promise.resolve(true)
  #problem: string | null = null
  #isAbandoned = false
  #failure = new Error('nothing has failed')
  readonly #problems = new Emitter<string | null>()
  /** Emits why nothing can be recorded, as a sentence; null once everything is. */
  readonly onProblem: Listen<string | null> = this.#problems.on

  constructor(path: string, begun: LogMark | (() => Promise<LogMark>), log: Log) {
    this.#path = path
    this.#log = log
    this.#begin = typeof begun === 'function' ? begun : null
    this.#mark = typeof begun === 'function' ? { size: 0, sum: '' } : begun
    if (this.#begin) void this.flush()
  }

  /** Why something noted isn't on disk, as a sentence; null if it is, or is about to be. */
  get problem(): string | null {
    return this.#problem
  }

  /** Notes what happened. A `base` or `renewed` entry always follows the step that says how the texts changed. */
  note(entry: Entry): void {
    this.#put(entry)
  }

  /**
   * Notes the decision. Resolves to true when it will survive a crash and a power failure, to false if it can't be
   * written; then it isn't noted, unless the person `insists`.
   */
  decided(verdict: 'accepted' | 'rejected', accepted: string | null, insists = false): Promise<boolean> {
    this.#put({ kind: 'decided', verdict, accepted }, !insists)
    return this.flush(true)
  }

  /** Notes what is offered from an earlier proposal; null: it was applied. */
  offered(offer: Offer | null): void {
    const texts = offer && { proposed: offer.proposed.toString(), result: offer.result.toString() }
    this.#put({ kind: 'offered', offer: texts })
  }

  /** Writes nothing here until the other log is fully written, so this record goes only when that one is safe. */
  endAfter(other: ReviewLog): void {
    this.#after = other
  }

  /** Writes what waits. Resolves to whether everything noted before is on disk; with `sync`, flushed. */
  flush(sync = false): Promise<boolean> {
    this.#tail = this.#tail.then(() => this.#write(sync))
    return this.#tail
  }

  /** Gives up what waits here. Resolves to whether the log it comes after is fully written. */
  async abandon(): Promise<boolean> {
    this.#isAbandoned = true
    return this.flush()
  }

  dispose(): void {
    this.#problems.dispose()
  }

  async #write(sync: boolean): Promise<boolean> {
    const end = sync ? -1 : this.#waiting.findIndex(({ isNowOrNever }) => isNowOrNever)
    const lines = end < 0 ? [...this.#waiting] : this.#waiting.slice(0, end)
    try {
      if (this.#after && !(await this.#after.flush())) throw this.#after.#failure
      this.#after = null
      if (this.#isAbandoned) return true
      if (this.#begin) {
        this.#mark = await this.#begin()
        this.#begin = null
      }
      if (lines.length > 0 || (sync && this.#isUnflushed)) await this.#append(lines, sync)
      else if (this.#problem !== null) await this.#probe()
      this.#waiting = this.#waiting.filter((line) => !lines.includes(line))
      this.#setProblem(null)
      return true
    } catch (error) {
      this.#failure = error instanceof Error ? error : new Error(String(error))
      this.#waiting = this.#waiting.filter((line) => !line.isNowOrNever || !lines.includes(line))
      if (this.#problem === null) this.#log.error('review journal not written', { error })
      this.#setProblem(notRecorded(error))
      return false
    }
  }

  /** Writes all of it or nothing. */
  async #append(lines: readonly Waiting[], sync: boolean): Promise<void> {
    let { sum } = this.#mark
    let text = ''
    for (const { json } of lines) {
      const line = writeCheckedLine(json, sum)
      sum = line.sum
      text += line.text
    }
    const bytes = Buffer.from(text)
    await this.#writeAt(async (handle) => {
      await handle.appendFile(bytes)
      this.#isUnflushed = true
      if (sync) await handle.sync()
      this.#isUnflushed = !sync
    })
    this.#mark = { size: this.#mark.size + bytes.length, sum }
  }

  /** Throws if nothing can be written at present. */
  async #probe(): Promise<void> {
    await this.#writeAt(async (handle) => {
      await handle.appendFile(Buffer.alloc(probeBytes, ' '))
      await handle.truncate(this.#mark.size)
    })
  }

  /** Cuts off anything after the log's end, both before the write and after a failed one. */
  async #writeAt(write: (handle: FileHandle) => Promise<void>): Promise<void> {
    const handle = await open(this.#path, 'a', 0o600)
    try {
      if ((await handle.stat()).size > this.#mark.size) await handle.truncate(this.#mark.size)
      try {
        await write(handle)
      } catch (error) {
        await handle.truncate(this.#mark.size).catch(() => undefined)
        throw error
      }
    } finally {
      await handle.close()
    }
  }

  #put(entry: Entry, isNowOrNever = false): void {
    this.#waiting.push({ json: JSON.stringify(entry), isNowOrNever })
    if (this.#isScheduled) return
    this.#isScheduled = true
    // Entries noted together are written together.
    queueMicrotask(() => {
      this.#isScheduled = false
      void this.flush()
    })
  }

  #setProblem(problem: string | null): void {
    if (problem === this.#problem) return
    this.#problem = problem
    try {
      this.#problems.emit(problem)
    } catch (error) {
      this.#log.error('review journal: a listener failed', { error })
    }
  }
}
