import { mkdir, open, readFile, readdir, rename, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import type { Draft, DraftStep } from '../../../shared/draft'
import type { Effect, Origin, Verdict } from '../../../shared/review'
import type { TextFacts } from '../../../shared/text'
import type { Log } from '../platform/log'
import { stepToJson } from '../../../shared/step-json'
import type { Offer } from './review'
import type { WrittenBytes, WrittenText } from './written'
import { type Entry, cutTornLine, factsSchema, type headSchema } from './journal-format'
import { headOfBytes, readReview } from './journal-reading'

/**
 * What is known of a review when it begins. Kept in the data directory before anyone is asked, so that a crash loses
 * nothing: one folder a review, the texts once, then a log of steps and decisions.
 */
export interface ReviewRecord {
  id: string
  /** Milliseconds since the epoch. */
  askedAt: number
  /** Who asked first. */
  origin: Origin
  path: string
  realPath: string
  title: string
  effect: Effect
  /** Fingerprints as in the machine. */
  base: string
  proposed: string
  facts: TextFacts
  content:
    | { kind: 'text'; draft: Draft; lineEnds: { text: string } | null; written?: WrittenText }
    | { kind: 'binary'; text: string; sizeBefore: number | null; written?: WrittenBytes }
}

/** A review found in the data directory, with its draft as it stood. */
export interface StoredReview {
  record: ReviewRecord
  /** All who ask, in the order of asking; those that went while others stayed are left out. */
  askers: Origin[]
  steps: number
  touched: boolean
  verdict: Verdict | null
  accepted: string | null
  /** Edits to an earlier proposal, not taken over yet. */
  offered: Offer | null
}

/** A decided review whose old text is still there. */
export interface KeptReview {
  id: string
  path: string
  agent: string
  decidedAt: number
  how: 'accepted' | 'rejected' | 'withdrawn' | 'kept' | 'discarded'
  /** What the file must hold so that the old text may be put back; null when it cannot be. */
  accepted: string | null
  facts: TextFacts
}

const keptSchema = z.object({
  id: z.string(),
  path: z.string(),
  agent: z.string(),
  decidedAt: z.number(),
  how: z.enum(['accepted', 'rejected', 'withdrawn', 'kept', 'discarded']),
  accepted: z.string().nullable(),
  facts: factsSchema,
})

/** Typing reaches the journal at the latest after this many milliseconds; decisions at once. */
const typingDelay = 200
const keptFor = 7 * 24 * 60 * 60 * 1000
const keptBytes = 200 * 1024 * 1024

/** The log of one review. Writes are in order; `flush` resolves when all before it is written. */
export class ReviewLog {
  readonly #path: string
  readonly #log: Log
  #waiting: string[] = []
  /** What could not be written goes before all that comes later, which may build on it. */
  #unwritten = ''
  #timer: NodeJS.Timeout | null = null
  #tail: Promise<void>

  constructor(path: string, ready: Promise<void>, log: Log) {
    this.#path = path
    this.#log = log
    this.#tail = ready.catch((error: unknown) => log.error('review not recorded', { error }))
  }

  /** Notes a step of the person's; on disk within 250 ms. */
  step(step: DraftStep): void {
    this.#put({ kind: 'step', step: stepToJson(step) })
    this.#timer ??= setTimeout(() => void this.flush(), typingDelay)
  }

  /** Notes that the disk's text is the new base. Always follows the `rebase` step that says how. */
  rebased(base: string, facts: TextFacts): void {
    this.#put({ kind: 'base', base, facts })
    this.#timer ??= setTimeout(() => void this.flush(), typingDelay)
  }

  /** Notes what a written file and its text from before are now. Always follows a `renew` step. */
  renewed(now: { base: string; proposed: string; facts: TextFacts; written: WrittenText }): void {
    this.#put({ kind: 'renewed', ...now })
    this.#timer ??= setTimeout(() => void this.flush(), typingDelay)
  }

  /** Notes that another one asks for the same change. */
  joined(origin: Origin): void {
    this.#put({ kind: 'joined', origin })
    void this.flush()
  }

  /** Notes that one of several, by its number, asks no more. */
  left(asker: number): void {
    this.#put({ kind: 'left', asker })
    void this.flush()
  }

  /** Notes the decision; resolves when it will outlive a crash. */
  decided(verdict: 'accepted' | 'rejected', accepted: string | null): Promise<void> {
    this.#put({ kind: 'decided', verdict, accepted })
    return this.flush(true)
  }

  /** Notes what is offered from an earlier proposal, or that it has been taken over. */
  offered(offer: Offer | null): void {
    const texts = offer && { proposed: offer.proposed.toString(), result: offer.result.toString() }
    this.#put({ kind: 'offered', offer: texts })
    void this.flush()
  }

  /** What waits to be written here waits for all of the other log first: so its record goes when that one stands. */
  endAfter(other: ReviewLog): void {
    const stands = other.flush()
    this.#tail = this.#tail.then(() => stands)
  }

  delivered(): void {
    this.#put({ kind: 'delivered' })
    void this.flush()
  }

  /** Writes what waits. A failure is logged and does not stop the review. */
  flush(sync = false): Promise<void> {
    if (this.#timer) clearTimeout(this.#timer)
    this.#timer = null
    const lines = this.#waiting.join('')
    this.#waiting = []
    this.#tail = this.#tail
      .then(async () => {
        const all = this.#unwritten + lines
        if (all === '' && !sync) return
        this.#unwritten = all
        await append(this.#path, all, sync)
        this.#unwritten = ''
      })
      .catch((error: unknown) => this.#log.error('review journal not written', { error }))
    return this.#tail
  }

  #put(entry: Entry): void {
    this.#waiting.push(`${JSON.stringify(entry)}\n`)
  }
}

/** The folder of all reviews of a data directory. One process owns it. */
export class ReviewJournal {
  readonly #open: string
  readonly #kept: string
  readonly #log: Log

  constructor(directory: string, log: Log) {
    this.#open = join(directory, 'reviews')
    this.#kept = join(directory, 'decided-reviews')
    this.#log = log
  }

  /** Begins the record of a review; it is on disk when the first `flush` of the log resolves. */
  begin(record: ReviewRecord): ReviewLog {
    const folder = join(this.#open, record.id)
    const ready = this.#write(folder, record)
    return new ReviewLog(join(folder, 'log.ndjson'), ready, this.#log)
  }

  async #write(folder: string, record: ReviewRecord): Promise<void> {
    await mkdir(folder, { recursive: true, mode: 0o700 })
    const { content, ...rest } = record
    const head: z.infer<typeof headSchema> = {
      format: 1,
      ...rest,
      content:
        content.kind === 'text'
          ? {
              kind: 'text',
              hunks: [...content.draft.hunks],
              ...(content.written ? { written: content.written } : {}),
            }
          : {
              kind: 'binary',
              sizeBefore: content.sizeBefore,
              ...(content.written ? { written: headOfBytes(content.written) } : {}),
            },
    }
    const mode = 0o600
    if (content.kind === 'text') {
      await writeFile(join(folder, 'a.txt'), content.draft.a.toString(), { mode })
      await writeFile(join(folder, 'b.txt'), content.draft.b.toString(), { mode })
      if (content.lineEnds) await writeFile(join(folder, 'ends.txt'), content.lineEnds.text, { mode })
    } else {
      await writeFile(join(folder, 'b.txt'), content.text, { mode })
      const before = content.written?.before
      if (before instanceof Uint8Array) await writeFile(join(folder, 'before.bin'), before, { mode })
    }
    // Last, so that a folder with a head is whole.
    await writeFile(join(folder, 'head.tmp'), JSON.stringify(head), { mode, flush: true })
    await rename(join(folder, 'head.tmp'), join(folder, 'head.json'))
  }

  /** Every review that was not over when the app ended; what cannot be read is set aside and logged. */
  async load(): Promise<{ review: StoredReview; log: ReviewLog }[]> {
    const found: { review: StoredReview; log: ReviewLog }[] = []
    for (const id of await listFolder(this.#open)) {
      const folder = join(this.#open, id)
      try {
        await cutTornLine(join(folder, 'log.ndjson'))
        const review = await readReview(folder)
        if (review)
          found.push({ review, log: new ReviewLog(join(folder, 'log.ndjson'), Promise.resolve(), this.#log) })
        else await rm(folder, { recursive: true, force: true })
      } catch (error) {
        this.#log.error('review journal unreadable, set aside', { id, error })
        await mkdir(join(this.#open, '..', 'unreadable-reviews'), { recursive: true, mode: 0o700 })
        await rename(folder, join(this.#open, '..', 'unreadable-reviews', id)).catch(() => undefined)
      }
    }
    return found.sort((one, other) => one.review.record.askedAt - other.review.record.askedAt)
  }

  /** Ends the record of a review. `kept` and the text from before it stay for a while, to be taken back. */
  async end(log: ReviewLog, id: string, keep: { kept: KeptReview; base: string } | null): Promise<void> {
    await log.flush()
    const folder = join(this.#open, id)
    try {
      if (!keep) return await rm(folder, { recursive: true, force: true })
      const target = join(this.#kept, id)
      await mkdir(target, { recursive: true, mode: 0o700 })
      await writeFile(join(target, 'base.txt'), keep.base, { mode: 0o600 })
      await writeFile(join(target, 'kept.json'), JSON.stringify(keep.kept), { mode: 0o600 })
      // A folder without its head is over.
      await rm(join(folder, 'head.json'), { force: true })
      await rename(join(folder, 'b.txt'), join(target, 'proposed.txt'))
      await rm(folder, { recursive: true, force: true })
    } catch (error) {
      this.#log.error('review journal not ended', { id, error })
    }
  }

  /** The decided reviews that are still kept, newest first. Those too old or too many are removed. */
  async loadKept(now: number): Promise<KeptReview[]> {
    const all: { kept: KeptReview; folder: string; bytes: number }[] = []
    for (const id of await listFolder(this.#kept)) {
      const folder = join(this.#kept, id)
      try {
        const parsed = keptSchema.parse(JSON.parse(await readFile(join(folder, 'kept.json'), 'utf8')))
        all.push({ kept: parsed, folder, bytes: await sizeOf(folder) })
      } catch (error) {
        this.#log.warn('decided review unreadable, removed', { id, error })
        await rm(folder, { recursive: true, force: true })
      }
    }
    all.sort((one, other) => other.kept.decidedAt - one.kept.decidedAt)
    const stay: KeptReview[] = []
    let bytes = 0
    for (const { kept, folder, bytes: size } of all) {
      bytes += size
      if (now - kept.decidedAt > keptFor || bytes > keptBytes) {
        await rm(folder, { recursive: true, force: true })
      } else stay.push(kept)
    }
    return stay
  }

  /** The text from before a decided review, or null when it is gone. */
  async oldText(id: string): Promise<string | null> {
    try {
      return await readFile(join(this.#kept, id, 'base.txt'), 'utf8')
    } catch {
      return null
    }
  }

  async forget(id: string): Promise<void> {
    await rm(join(this.#kept, id), { recursive: true, force: true })
  }
}

/** All of it or nothing. */
async function append(path: string, lines: string, sync: boolean): Promise<void> {
  const handle = await open(path, 'a', 0o600)
  try {
    const { size } = await handle.stat()
    try {
      await handle.appendFile(lines)
      if (sync) await handle.sync()
    } catch (error) {
      await handle.truncate(size).catch(() => undefined)
      throw error
    }
  } finally {
    await handle.close()
  }
}

async function listFolder(path: string): Promise<string[]> {
  try {
    const entries = await readdir(path, { withFileTypes: true })
    return entries.filter((entry) => entry.isDirectory()).map((entry) => entry.name)
  } catch {
    return []
  }
}

async function sizeOf(folder: string): Promise<number> {
  let sum = 0
  for (const name of await readdir(folder)) sum += (await stat(join(folder, name))).size
  return sum
}
