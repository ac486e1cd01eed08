import { randomUUID } from 'node:crypto'
import { basename } from 'node:path'
import type { DecidedReview, ReviewState } from '../../../../shared/contract/review'
import { type Done, fail, succeed } from '../../../../shared/result'
import type { Disposable } from '../../../../shared/lifetime'
import { dropOldest } from '../../../../shared/drop-oldest'
import { encodeText } from '../../../../shared/text/text-facts'
import { isStillReal } from '../../files/real-path'
import type { FileSwapper } from '../../files/compare-and-swap'
import { hashContent } from '../../files/content-hash'
import type { Ledger } from '../../files/ledger'
import { removeIfSame } from '../../files/remove-if-same'
import { type Fingerprint, hashOf } from '../fingerprint'
import type { Keep, ReviewJournal } from '../journal'
import type { KeptReview } from '../journal-format'
import type { KeptTextName } from './kept-folder'
import { keepOf, keepOfReceipt } from './kept-review'
import type { End } from '../machine'
import type { Receipt } from './receipts'
import type { Rejected } from '../reopened'
import type { Review } from '../review'

/** How long (in milliseconds), how much and how many decided reviews are kept, for undo and for the record. */
const usualBounds = { time: 7 * 24 * 60 * 60 * 1000, bytes: 200 * 1024 * 1024, count: 20_000 }

/** How often it is looked for what was decided too long ago, in milliseconds. */
const tidyTime = 60 * 60 * 1000

/** So many reviews that ended otherwise are remembered, until what they saw is explained. */
const mostDiverged = 100

/** How long the next proposal for a file shows what was said about the one before, in milliseconds. */
const commentsFor = 24 * 60 * 60 * 1000

/** A decided review without its folder, which depends on the window. */
export type DecidedAnywhere = Omit<DecidedReview, 'folder'>

/** Kinds that only the record of writes shows, not the list of decided reviews. */
function isOnlyRecorded({ how, content, takenBack }: KeptReview): boolean {
  const isTheirs = how === 'answered-there' || how === 'unasked'
  return takenBack !== undefined || content === 'binary' || isTheirs
}

/**
 * The decided reviews that are still kept, and so the record of writes; puts back the text from before an accepted one.
 */
export class DecidedReviews implements Disposable {
  readonly #journal: ReviewJournal
  readonly #ledger: Ledger
  readonly #swapper: FileSwapper
  #kept: readonly KeptReview[] = []
  /** Resolves when what earlier runs have kept is known. */
  #loaded: Promise<void> = Promise.resolve()
  /** Those that took whatever the file held for the agent's answer. */
  readonly #diverged = new Set<string>()
  /** Resolves when every ended review is on disk. */
  #settled: Promise<unknown> = Promise.resolve()

  readonly #changed: () => void
  readonly #bounds: typeof usualBounds
  readonly #tidying: NodeJS.Timeout

  /** `changed` is called when what is kept changes by itself. */
  constructor(
    { journal, ledger, swapper }: { journal: ReviewJournal; ledger: Ledger; swapper: FileSwapper },
    changed: () => void,
    bounds = usualBounds,
  ) {
    this.#journal = journal
    this.#ledger = ledger
    this.#swapper = swapper
    this.#changed = changed
    this.#bounds = bounds
    this.#tidying = setInterval(() => this.#settle(Promise.resolve()), tidyTime).unref()
    journal.onLoss((id) => this.#lose(id))
  }

  /** Loads what earlier runs have kept, which may be a lot; until it resolves, only what came since is listed. */
  load(): Promise<void> {
    return (this.#loaded = this.#journal.loadKept().then((before) => {
      const since = new Set(this.#kept.map(({ id }) => id))
      this.#kept = [...this.#kept, ...before.filter(({ id }) => !since.has(id))]
      return this.#letGo()
    }))
  }

  /** Everything that is kept, newest first. */
  async all(): Promise<readonly KeptReview[]> {
    await this.#loaded
    return this.#kept
  }

  /** What the person said with their last decision on a path, if an agent with this name asked; null if long ago. */
  commentsOn(path: string, agent: string, now: number): ReviewState['earlier'] {
    const since = now - commentsFor
    const last = this.#kept.find((kept) => kept.path === path && kept.agent === agent && kept.comments)
    if (!last?.comments || last.decidedAt < since) return null
    return { comments: last.comments, how: last.how, at: last.decidedAt }
  }

  /** A text that is kept; null if there is none. */
  text(kept: KeptReview, name: KeptTextName): Promise<string | null> {
    return this.#journal.keptText(kept, name)
  }

  /** Newest first, at most 50. */
  list(): DecidedAnywhere[] {
    const decided: DecidedAnywhere[] = []
    for (const kept of this.#kept) {
      if (decided.length === 50) break
      if (isOnlyRecorded(kept)) continue
      decided.push({
        id: kept.id,
        path: kept.path,
        name: basename(kept.path),
        agent: kept.agent,
        decidedAt: kept.decidedAt,
        how: kept.how,
        ...(kept.by?.kind === 'rule' ? { rule: kept.by.pattern } : {}),
        canUndo: kept.accepted !== null,
        ...(kept.question ? { canReopen: true } : {}),
      })
    }
    return decided
  }

  /** How many writes each rule for files has let through since a time, by its pattern; only for paths that count. */
  letThrough(since: number, counts: (path: string) => boolean): Map<string, number> {
    const byPattern = new Map<string, number>()
    for (const { by, decidedAt, path } of this.#kept)
      if (by?.kind === 'rule' && decidedAt >= since && counts(path))
        byPattern.set(by.pattern, (byPattern.get(by.pattern) ?? 0) + 1)
    return byPattern
  }

  /** Takes over a review that has just ended. Returns how it can be taken back, or null if nothing is kept. */
  add(review: Review, end: End): { canUndo: boolean; canReopen: boolean } | null {
    const keep = this.#put(keepOf(review, end))
    if (keep && end === 'diverged') this.#diverged.add(review.id)
    dropOldest(this.#diverged, mostDiverged)
    this.#settle(this.#journal.end(review.log, review.id, keep))
    return keep && { canUndo: keep.kept.accepted !== null, canReopen: keep.kept.question !== undefined }
  }

  /** Takes over a write that nobody was asked about. Resolves when it is kept, or waits until it can be written. */
  async addReceipt(receipt: Receipt): Promise<void> {
    const keep = this.#put(keepOfReceipt({ id: randomUUID(), receipt }))
    const kept = this.#journal.keep(keep)
    this.#settle(kept)
    await kept
  }

  /**
   * Whether what is kept already tells of a write, which took the file from one fingerprint to another since a time. A
   * review that only saw what the file held in the end is corrected: it led at most to what the file held before.
   */
  tellsOf(path: string, [before, after]: readonly [Fingerprint, Fingerprint], since: number): boolean {
    const last = this.#kept.find((kept) => kept.path === path)
    if (!last?.wrote || last.decidedAt < since || last.wrote.hash !== hashOf(after)) return false
    if (!this.#diverged.delete(last.id)) return true
    const wrote = hashOf(before) === last.sides?.before ? null : { hash: hashOf(before) }
    void this.#amend({ ...last, wrote })
    return false
  }

  /** A rejected change and its texts; null if they are no longer kept. */
  async rejected(id: string): Promise<Rejected | null> {
    await Promise.all([this.#settled, this.#loaded])
    const kept = this.#kept.find((one) => one.id === id)
    const old = kept ? await this.text(kept, 'base') : null
    const proposed = kept?.question ? await this.text(kept, 'proposed') : null
    return kept && old !== null && proposed !== null ? { kept, old, proposed } : null
  }

  /** Whether a rejected change is kept, and hasn't been reopened. */
  canReopen(id: string): boolean {
    return this.#kept.some((one) => one.id === id && one.question !== undefined)
  }

  /** The person has taken the decision back; noted before anything is awaited. It stays, and can't be taken back again. */
  async takeBack(id: string): Promise<void> {
    const found = this.#kept.find((one) => one.id === id)
    if (!found) return
    const { question: _, wasAbsent: __, ...rest } = found
    await this.#amend({ ...rest, accepted: null, takenBack: Date.now() })
  }

  /** Puts back the text from before an accepted change, unless the file has changed since. */
  async undo(id: string): Promise<Done> {
    await Promise.all([this.#settled, this.#loaded])
    const kept = this.#kept.find((one) => one.id === id)
    const old = kept ? await this.text(kept, 'base') : null
    if (!kept || kept.accepted === null || old === null) {
      return fail('gone', 'The old text is no longer kept. Check the file’s history.')
    }
    if (!(await isStillReal(kept.path))) {
      return fail('changed', `${kept.path} is now a link to another file, so that file wasn’t changed.`)
    }
    const bytes = encodeText(old, kept.facts)
    const hash = kept.wasAbsent ? null : hashContent(bytes)
    this.#ledger.expect({ path: kept.path, hash })
    const expected = kept.accepted === 'absent' ? null : kept.accepted
    const swapped =
      kept.wasAbsent && expected !== null
        ? await removeIfSame(kept.path, expected)
        : await this.#swapper.swap(kept.path, expected, bytes, { createParents: true })
    if (!swapped.ok) {
      return swapped.failure.code === 'changed'
        ? fail(
            'changed',
            'The file has changed since you accepted it, so it wasn’t put back. Edit it by hand.',
          )
        : { ok: false, failure: swapped.failure }
    }
    await this.takeBack(id)
    return succeed({})
  }

  /** Resolves when every ended review is on disk. */
  flush(): Promise<unknown> {
    return this.#settled
  }

  /** Nothing is let go of after this. */
  dispose(): void {
    clearInterval(this.#tidying)
  }

  /** Waits for a write, after which more may be kept than is meant to be. */
  #settle(work: Promise<void>): void {
    this.#settled = Promise.all([this.#settled, work.then(() => this.#letGo())])
  }

  /** Removes what is beyond the bounds, the oldest first; not what still waits for the disk. */
  async #letGo(): Promise<void> {
    const since = Date.now() - this.#bounds.time
    const gone = new Set<string>()
    let bytes = 0
    for (const [index, { id, decidedAt }] of this.#kept.entries()) {
      const size = this.#journal.keptSize(id)
      if (size === null) continue
      bytes += size
      if (decidedAt < since || bytes > this.#bounds.bytes || index >= this.#bounds.count) gone.add(id)
    }
    if (gone.size === 0) return
    this.#kept = this.#kept.filter(({ id }) => !gone.has(id))
    this.#changed()
    await this.#journal.forget(gone)
  }

  /** What has no texts any more isn't offered to be taken back. */
  #lose(id: string): void {
    this.#kept = this.#kept.map((one) => {
      if (one.id !== id) return one
      const { question: _, ...rest } = one
      return { ...rest, accepted: null }
    })
    this.#changed()
  }

  /** Changes what is said about one; on disk once it is there itself, which would write over this. */
  async #amend(kept: KeptReview): Promise<void> {
    this.#kept = this.#kept.map((one) => (one.id === kept.id ? kept : one))
    const amended = this.#settled.then(() => this.#journal.amend(kept))
    this.#settled = amended
    await amended
  }

  /** Of one file, what is kept later has a later time, so that the order is the same when it is read again. */
  #put<K extends Keep | null>(keep: K): K {
    if (keep === null) return keep
    const { path, decidedAt } = keep.kept
    const last = this.#kept.find((one) => one.path === path)
    const kept = { ...keep.kept, decidedAt: Math.max(decidedAt, (last?.decidedAt ?? 0) + 1) }
    this.#kept = [kept, ...this.#kept.filter(({ id }) => id !== kept.id)]
    return { ...keep, kept }
  }
}
