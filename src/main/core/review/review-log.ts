import { type FileHandle, open } from 'node:fs/promises'
import { type Disposable, Emitter, type Listen } from '../../../shared/lifetime'
import { writeCheckedLine } from '../files/checked-line'
import type { Log } from '../platform/log'
import type { Entry, LogMark } from './journal-format'
import type { Offer } from './review-content'
import { notRecorded } from './sentences'

interface Waiting {
  readonly json: string
  /** Written with a flush or not at all: where that fails it is given up. */
  readonly isNowOrNever: boolean
}

/** Room for so many bytes must be found before a log that could not be written counts as writable again. */
const probeBytes = 4096

/**
 * The log of one review. What is noted is written at once; what comes during a write goes out with the next, in order.
 * What cannot be written waits, and is tried again by the journal and with all that is noted later.
 */
export class ReviewLog implements Disposable {
  readonly #path: string
  readonly #log: Log
  /** Puts the record of the review there, after which its log can be written; null once that is done. */
  #begin: (() => Promise<LogMark>) | null
  #mark: LogMark
  #waiting: Waiting[] = []
  #isScheduled = false
  /** What is written is not safe from a loss of power yet. */
  #isUnflushed = false
  #after: ReviewLog | null = null
  #tail: Promise<boolean> = Promise.resolve(true)
  #problem: string | null = null
  #isAbandoned = false
  #failure = new Error('nothing has failed')
  readonly #problems = new Emitter<string | null>()
  /** Hears why nothing can be recorded, as a sentence, and null once all is. */
  readonly onProblem: Listen<string | null> = this.#problems.on

  constructor(path: string, begun: LogMark | (() => Promise<LogMark>), log: Log) {
    this.#path = path
    this.#log = log
    this.#begin = typeof begun === 'function' ? begun : null
    this.#mark = typeof begun === 'function' ? { size: 0, sum: '' } : begun
    if (this.#begin) void this.flush()
  }

  /** Why what was noted is not on disk, as a sentence; null where it is, or is about to be. */
  get problem(): string | null {
    return this.#problem
  }

  /** Notes what has happened. A `base` or `renewed` always follows the step that says how the texts changed. */
  note(entry: Entry): void {
    this.#put(entry)
  }

  /**
   * Notes the decision; resolves to true when it will outlive a crash and a loss of power. To false where it cannot be
   * written: then it is not noted, unless the person wants it all the same (`insists`).
   */
  decided(verdict: 'accepted' | 'rejected', accepted: string | null, insists = false): Promise<boolean> {
    this.#put({ kind: 'decided', verdict, accepted }, !insists)
    return this.flush(true)
  }

  /** Notes what is offered from an earlier proposal, or that it has been taken over. */
  offered(offer: Offer | null): void {
    const texts = offer && { proposed: offer.proposed.toString(), result: offer.result.toString() }
    this.#put({ kind: 'offered', offer: texts })
  }

  /** What waits to be written here waits for all of the other log first: so its record goes when that one stands. */
  endAfter(other: ReviewLog): void {
    this.#after = other
  }

  /** Writes what waits. Resolves to whether all that was noted before is on disk; with `sync`, flushed. */
  flush(sync = false): Promise<boolean> {
    this.#tail = this.#tail.then(() => this.#write(sync))
    return this.#tail
  }

  /** Nothing of it matters any more but that the log it comes after stands: resolves to whether that does. */
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

  /** All of it or nothing. */
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

  /** Throws where nothing can be written at present. */
  async #probe(): Promise<void> {
    await this.#writeAt(async (handle) => {
      await handle.appendFile(Buffer.alloc(probeBytes, ' '))
      await handle.truncate(this.#mark.size)
    })
  }

  /** What stands after the log's end, or is left there by a write that fails, is cut off. */
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
    // What is noted together is written together.
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
