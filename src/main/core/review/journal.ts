import { cp, mkdir, readdir, rename, rm, stat, writeFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { dropOldest } from '../../../shared/drop-oldest'
import { type Disposable, Emitter, type Listen } from '../../../shared/lifetime'
import { flushFolder, replaceFile } from '../platform/atomic-replace'
import { writeCheckedLine } from '../files/checked-line'
import { systemCode } from '../files/file-failure'
import type { Log } from '../platform/log'
import { type Head, type KeptReview, type LogMark, sumOfFile } from './journal-format'
import { headFile, headOfBytes, listFolders, logFile, readProposed, readReview } from './journal-reading'
import {
  type KeptTextName,
  type KeptTexts,
  keptFile,
  keptFolderOf,
  keptTextFile,
  keptTextNames,
  newestFirst,
  readKept,
  readKeptText,
  sizeOf,
} from './record/kept-folder'
import { ReviewLog } from './review-log'
import { damagedDraft, lostDraft, notRecorded, unreadDraft } from './sentences'
import type { ReviewRecord, StoredReview } from './stored-review'

/** Milliseconds until a failed write is tried again. */
const usualRetryTime = 2000
/** How many ends may wait for a writable disk; older ones are left until the next start. */
const mostEnds = 200
const mode = 0o600
/** Suffixes of folders that are being made, and of those that are over. */
const making = '.new'
const over = '.over'

/** A review that is over; or, without a log, something to be kept that was no review. */
interface Ending {
  readonly log: ReviewLog | null
  readonly id: string
  readonly keep: Keep | null
}

/** What stays of a review that is over. If `proposed` isn't among the texts, the proposal as it first came stays too. */
export interface Keep {
  readonly kept: KeptReview
  readonly texts: KeptTexts
}

/** All reviews' folders in a data directory. One process owns it. */
export class ReviewJournal implements Disposable {
  readonly #open: string
  readonly #kept: string
  readonly #aside: string
  readonly #log: Log
  readonly #retryTime: number
  /** Logs that couldn't be written, oldest first, and ends that couldn't be recorded, with the reason as a sentence. */
  readonly #failing = new Set<ReviewLog>()
  readonly #endings = new Map<string, Ending & { readonly problem: string | null }>()
  readonly #losses = new Emitter<string>()
  /** Emits the id of what was to be kept, whose texts are let go of because too much waits for a writable disk. */
  readonly onLoss: Listen<string> = this.#losses.on
  /** What this run has kept itself. */
  readonly #keptHere = new Set<string>()
  /** How many bytes each that is kept has on disk. */
  readonly #sizes = new Map<string, number>()
  #retry: NodeJS.Timeout | null = null
  #problem: string | null = null
  readonly #problems = new Emitter<string | null>()
  /** Emits why nothing can be recorded at present, as a sentence; null once everything is. */
  readonly onProblem: Listen<string | null> = this.#problems.on
  readonly #damage: string[] = []

  /** `retryTime` in milliseconds. */
  constructor(directory: string, log: Log, { retryTime = usualRetryTime } = {}) {
    this.#retryTime = retryTime
    this.#open = join(directory, 'reviews')
    this.#kept = keptFolderOf(directory)
    this.#aside = join(directory, 'unreadable-reviews')
    this.#log = log
  }

  /** Sentences about what was found damaged; each is returned once. */
  takeDamage(): string[] {
    return this.#damage.splice(0)
  }

  /** Begins a review's log; the record is on disk once the log's first `flush` has resolved to true. */
  begin(record: ReviewRecord): ReviewLog {
    const folder = join(this.#open, record.id)
    return this.#follow(new ReviewLog(join(folder, logFile), () => this.#write(folder, record), this.#log))
  }

  async #write(folder: string, record: ReviewRecord): Promise<LogMark> {
    const draft = folder + making
    await mkdir(draft, { recursive: true, mode: 0o700 })
    const { content, ...rest } = record
    const files = Object.entries(filesOf(content)).map(([name, file]) => [name, Buffer.from(file)] as const)
    const head: Head = {
      format: 2,
      ...rest,
      content:
        content.kind === 'text'
          ? {
              kind: 'text',
              hunks: [...content.draft.hunks],
              ...(content.exact ? { written: content.exact } : {}),
              ...(content.baseFacts ? { baseFacts: content.baseFacts } : {}),
            }
          : {
              kind: 'binary',
              sizeBefore: content.sizeBefore,
              ...(content.written ? { written: headOfBytes(content.written) } : {}),
            },
      sums: Object.fromEntries(files.map(([name, bytes]) => [name, sumOfFile(bytes)])),
    }
    const line = writeCheckedLine(JSON.stringify(head))
    const all = [...files, [headFile, line.text] as const, [logFile, line.text] as const]
    await Promise.all(all.map(([name, bytes]) => writeFile(join(draft, name), bytes, { mode, flush: true })))
    await flushFolder(draft)
    // In one step, so that a folder exists complete or not at all.
    await rename(draft, folder)
    await flushFolder(this.#open)
    return { size: Buffer.byteLength(line.text), sum: line.sum }
  }

  /** Every unfinished review, up to where it is damaged. */
  async load(): Promise<{ review: StoredReview; log: ReviewLog }[]> {
    const found: { review: StoredReview; log: ReviewLog }[] = []
    for (const id of await listFolders(this.#open)) {
      const folder = join(this.#open, id)
      try {
        if (id.endsWith(making) || id.endsWith(over)) {
          await rm(folder, { recursive: true, force: true })
          continue
        }
        const read = await this.#load(folder)
        if (read) found.push(read)
      } catch (error) {
        this.#log.error('review journal not read', { id, error })
        this.#damage.push(unreadDraft(folder))
      }
    }
    return found.sort((one, other) => one.review.record.askedAt - other.review.record.askedAt)
  }

  async #load(folder: string): Promise<{ review: StoredReview; log: ReviewLog } | null> {
    const id = basename(folder)
    const read = await readReview(folder)
    if (read.kind === 'over') {
      await this.#remove(folder)
      return null
    }
    if (read.kind === 'unreadable') {
      const wasKept = await stat(join(this.#kept, id, 'kept.json')).catch(() => null)
      if (wasKept) await this.#remove(folder)
      else {
        const aside = await this.#setAside(folder)
        this.#log.error('review journal unreadable, set aside', { id })
        this.#damage.push(lostDraft(read.path, aside))
      }
      return null
    }
    const { review, head, log, mark, isDamaged, isCut } = read
    if (isDamaged) this.#log.error('review journal damaged', { id, isCut })
    if (isCut) {
      const copy = await this.#asideFor(id)
      await cp(folder, copy, { recursive: true })
      const damage = damagedDraft(review.record.path, copy)
      this.#damage.push(damage)
      review.damage = damage
    }
    if (isDamaged) {
      await replaceFile(join(folder, logFile), log)
      if (head !== '') await replaceFile(join(folder, headFile), head)
    }
    return { review, log: this.#follow(new ReviewLog(join(folder, logFile), mark, this.#log)) }
  }

  /** Ends a review's record. With `keep`, it and the text from before stay for a while, for undo. */
  end(log: ReviewLog, id: string, keep: Keep | null): Promise<void> {
    return this.#endOrWait({ log, id, keep })
  }

  /** Keeps something that was no review. Resolves once it is on disk, or waits until it can be written. */
  keep(keep: Keep): Promise<void> {
    return this.#endOrWait({ log: null, id: keep.kept.id, keep })
  }

  async #endOrWait(ending: Ending): Promise<void> {
    const tried = await this.#end(ending)
    if (tried.isOver) return
    const { problem } = tried
    this.#endings.set(ending.id, { ...ending, problem })
    const ids = [...this.#endings.keys()]
    dropOldest(this.#endings, mostEnds)
    for (const id of ids) if (!this.#endings.has(id)) this.#losses.emit(id)
    this.#tell()
    this.#retryLater()
  }

  /** If it isn't over, it has to be tried again; `problem` says why, unless the log does. */
  async #end({
    log,
    id,
    keep,
  }: Ending): Promise<{ isOver: true } | { isOver: false; problem: string | null }> {
    const folder = join(this.#open, id)
    try {
      if (log && !(await (keep ? log.flush() : log.abandon()))) return { isOver: false, problem: null }
      if (keep) {
        // An earlier run may have been cut off here.
        await removeFolder(join(this.#kept, id))
        const { proposed, base } = keep.texts
        const isInFolder = log !== null && proposed === undefined && base !== undefined
        await this.#writeKept(keep, isInFolder ? await readProposed(folder) : null)
      }
      if (log) await this.#remove(folder)
      if (keep) this.#sizes.set(id, await sizeOf(join(this.#kept, id)).catch(() => 0))
      const amended = this.#endings.get(id)?.keep
      this.#endings.delete(id)
      if (amended && amended !== keep) await this.amend(amended.kept)
      if (log) this.#failing.delete(log)
      log?.dispose()
      this.#tell()
      return { isOver: true }
    } catch (error) {
      this.#log.error('decided review not kept', { id, error })
      return { isOver: false, problem: notRecorded(error) }
    }
  }

  /** `proposed` is the proposal as it first came, in UTF-8; null if the texts have it, or there is none. */
  async #writeKept({ kept, texts }: Keep, proposed: Buffer | null): Promise<void> {
    const target = join(this.#kept, kept.id)
    this.#keptHere.add(kept.id)
    await mkdir(target, { recursive: true, mode: 0o700 })
    for (const name of keptTextNames) {
      const text = texts[name]
      if (text !== undefined) await writeFile(join(target, keptTextFile(name)), text, { mode, flush: true })
    }
    if (proposed !== null) {
      await writeFile(join(target, keptTextFile('proposed')), proposed, { mode, flush: true })
    }
    await writeFile(join(target, keptFile), JSON.stringify(kept), { mode, flush: true })
    await flushFolder(target)
  }

  /** Changes what is said about a decided review; its texts stay. */
  async amend(kept: KeptReview): Promise<void> {
    const waiting = this.#endings.get(kept.id)
    if (waiting?.keep) {
      this.#endings.set(kept.id, { ...waiting, keep: { ...waiting.keep, kept } })
      return
    }
    try {
      await replaceFile(join(this.#kept, kept.id, keptFile), JSON.stringify(kept))
    } catch (error) {
      this.#log.error('decided review not amended', { id: kept.id, error })
    }
  }

  /** The decided reviews that earlier runs have kept, newest first, without any kept in the meantime; this can take long. */
  async loadKept(): Promise<KeptReview[]> {
    const all: KeptReview[] = []
    const open = new Set(await listFolders(this.#open))
    for await (const found of readKept(this.#kept)) {
      if (this.#disposed) return []
      const { id } = found
      if (this.#keptHere.has(id)) continue
      if (found.kind === 'kept') {
        all.push(found.kept)
        this.#sizes.set(id, found.bytes)
      } else if (found.kind === 'unreadable') {
        this.#log.warn('decided review unreadable, set aside', { id, error: found.error })
        await this.#tidy(id, (folder) => this.#setAside(folder))
        // Recording the end of an open review was cut off, and is done again.
      } else if (!open.has(id)) await this.#tidy(id, removeFolder)
    }
    return all.sort(newestFirst)
  }

  /** How many bytes a decided review has on disk; null as long as it isn't there. */
  keptSize(id: string): number | null {
    return this.#sizes.get(id) ?? null
  }

  /** Removes decided reviews that are on disk, with their texts. */
  async forget(ids: Iterable<string>): Promise<void> {
    for (const id of ids) {
      if (this.#disposed) return
      await this.#tidy(id, removeFolder)
      this.#sizes.delete(id)
      this.#keptHere.delete(id)
    }
  }

  /** What can't be moved or removed now is left to the next start. */
  async #tidy(id: string, work: (folder: string) => Promise<unknown>): Promise<void> {
    try {
      await work(join(this.#kept, id))
    } catch (error) {
      this.#log.error('decided review not tidied up', { id, error })
    }
  }

  /** The folder of what is kept; nothing but the journal writes there. */
  get keptFolder(): string {
    return this.#kept
  }

  /** A text that is kept of a decided review; null if there is none, or it is damaged. */
  async keptText(kept: KeptReview, name: KeptTextName): Promise<string | null> {
    const waiting = this.#endings.get(kept.id)?.keep
    return waiting ? (waiting.texts[name] ?? null) : readKeptText(this.#kept, kept, name)
  }

  /** Nothing is retried after this. */
  dispose(): void {
    if (this.#retry) clearTimeout(this.#retry)
    this.#retry = null
    this.#problems.dispose()
    this.#losses.dispose()
    this.#disposed = true
  }

  #disposed = false

  #follow(log: ReviewLog): ReviewLog {
    log.onProblem((problem) => {
      if (problem === null) this.#failing.delete(log)
      else this.#failing.add(log)
      this.#tell()
      if (problem !== null) this.#retryLater()
    })
    return log
  }

  #retryLater(): void {
    if (this.#disposed) return
    this.#retry ??= setTimeout(() => void this.#tryAgain(), this.#retryTime).unref()
  }

  /** In order, up to the first that still can't be written. */
  async #tryAgain(): Promise<void> {
    for (const log of this.#failing) if (!(await log.flush())) break
    for (const ending of this.#endings.values()) if (!(await this.#end(ending)).isOver) break
    this.#retry = null
    if (this.#failing.size > 0 || this.#endings.size > 0) this.#retryLater()
  }

  #tell(): void {
    const [first] = this.#failing
    const [ending] = this.#endings.values()
    const problem = first?.problem ?? ending?.problem ?? null
    if (problem === this.#problem) return
    this.#problem = problem
    this.#problems.emit(problem)
  }

  /**
   * Renamed first: the review is over in one step, and a crash leaves nothing that looks like a review. What can't be
   * removed then is left to the next start.
   */
  async #remove(folder: string): Promise<void> {
    await rename(folder, folder + over).catch((error: unknown) => {
      if (systemCode(error) !== 'ENOENT') throw error
    })
    await rm(folder + over, { recursive: true, force: true }).catch((error: unknown) =>
      this.#log.error('review journal not removed', { id: basename(folder), error }),
    )
  }

  async #setAside(folder: string): Promise<string> {
    const target = await this.#asideFor(basename(folder))
    await rename(folder, target)
    return target
  }

  /** An unused path for what is damaged. */
  async #asideFor(id: string): Promise<string> {
    await mkdir(this.#aside, { recursive: true, mode: 0o700 })
    const names = new Set(await readdir(this.#aside))
    let name = id
    for (let number = 2; names.has(name); number++) name = `${id}-${number}`
    return join(this.#aside, name)
  }
}

function removeFolder(path: string): Promise<void> {
  return rm(path, { recursive: true, force: true })
}

/** The files next to the head, by name. */
function filesOf(content: ReviewRecord['content']): Record<string, string | Uint8Array> {
  if (content.kind === 'text') {
    const { draft, lineEnds } = content
    const ends = lineEnds ? { 'ends.txt': lineEnds.text } : {}
    return { 'a.txt': draft.a.toString(), 'b.txt': draft.b.toString(), ...ends }
  }
  const before = content.written?.before
  return { 'b.txt': content.text, ...(before instanceof Uint8Array ? { 'before.bin': before } : {}) }
}
