import { basename } from 'node:path'
import type { DecidedReview } from '../../../shared/contract/review'
import { baseOf, undecideAll } from '../../../shared/review/draft'
import { type Done, fail, succeed, unreachable } from '../../../shared/result'
import { encodeText } from '../../../shared/text/text-facts'
import { isStillReal } from '../files/real-path'
import type { FileSwapper } from '../files/compare-and-swap'
import { hashContent } from '../files/content-hash'
import type { Ledger } from '../files/ledger'
import { removeIfSame } from '../files/remove-if-same'
import { originsOf, readNames } from './askers'
import type { ReviewJournal } from './journal'
import type { KeptReview } from './journal-format'
import type { End } from './machine'
import type { Rejected } from './reopened'
import { type Review, originOf } from './review'
import { resultOf } from './review-content'

/** How long, in milliseconds, and how much is kept to undo decided reviews. */
const keptFor = 7 * 24 * 60 * 60 * 1000
const keptBytes = 200 * 1024 * 1024

/** A decided review without its folder, which depends on the window. */
export type DecidedAnywhere = Omit<DecidedReview, 'folder'>

/** The decided reviews that are still kept; puts back the text from before an accepted one. */
export class DecidedReviews {
  readonly #journal: ReviewJournal
  readonly #ledger: Ledger
  readonly #swapper: FileSwapper
  #kept: readonly KeptReview[] = []
  /** Resolves when every ended review is on disk. */
  #settled: Promise<unknown> = Promise.resolve()

  constructor(journal: ReviewJournal, ledger: Ledger, swapper: FileSwapper) {
    this.#journal = journal
    this.#ledger = ledger
    this.#swapper = swapper
  }

  async load(): Promise<void> {
    this.#kept = await this.#journal.loadKept(Date.now() - keptFor, keptBytes)
  }

  /** Newest first, at most 50. */
  list(): DecidedAnywhere[] {
    return this.#kept.slice(0, 50).map((kept) => ({
      id: kept.id,
      path: kept.path,
      name: basename(kept.path),
      agent: kept.agent,
      decidedAt: kept.decidedAt,
      how: kept.how,
      canUndo: kept.accepted !== null,
      ...(kept.question ? { canReopen: true } : {}),
    }))
  }

  /** Takes over a review that has just ended. Returns how it can be taken back, or null if nothing is kept. */
  add(review: Review, end: End): { canUndo: boolean; canReopen: boolean } | null {
    const how = howOf(end)
    const { content } = review
    if (how === null || content.kind !== 'text') {
      this.#end(review, null)
      return null
    }
    const { facts, old, ...back } = wayBack(review, content, end)
    const isWritten = review.machine.effect === 'written'
    // The person can have a file put back again.
    const isQuestion = end === 'rejected' && !isWritten && !content.exact
    const proposed = isQuestion ? undecideAll(content.draft).b.toString() : undefined
    const kept: KeptReview = {
      id: review.id,
      path: review.realPath,
      agent: readNames(originsOf(review.askers)),
      decidedAt: Date.now(),
      how: how === 'rejected' && isWritten ? 'put-back' : how,
      facts,
      ...back,
      ...(isQuestion && proposed !== old ? { question: questionOf(review) } : {}),
    }
    this.#kept = [kept, ...this.#kept.filter(({ id }) => id !== kept.id)]
    this.#end(review, { kept, base: old, ...(proposed === undefined ? {} : { proposed }) })
    return { canUndo: kept.accepted !== null, canReopen: kept.question !== undefined }
  }

  /** A rejected change and its texts; null if they are no longer kept. */
  async rejected(id: string): Promise<Rejected | null> {
    await this.#settled
    const kept = this.#kept.find((one) => one.id === id)
    const old = kept ? await this.#journal.oldText(kept) : null
    const proposed = kept?.question ? await this.#journal.proposedText(id) : null
    return kept && old !== null && proposed !== null ? { kept, old, proposed } : null
  }

  async forget(id: string): Promise<void> {
    this.#kept = this.#kept.filter((one) => one.id !== id)
    await this.#journal.forget(id)
  }

  /** Puts back the text from before an accepted change, unless the file has changed since. */
  async undo(id: string): Promise<Done> {
    await this.#settled
    const kept = this.#kept.find((one) => one.id === id)
    const old = kept ? await this.#journal.oldText(kept) : null
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
    await this.forget(id)
    return succeed({})
  }

  /** Resolves when every ended review is on disk. */
  flush(): Promise<unknown> {
    return this.#settled
  }

  #end(review: Review, keep: { kept: KeptReview; base: string; proposed?: string } | null): void {
    this.#settled = Promise.all([this.#settled, this.#journal.end(review.log, review.id, keep)])
  }
}

/** The text an undo would write, and what the file must hold for that (`accepted`; null if it can't be undone). */
function wayBack(
  review: Review,
  content: Extract<Review['content'], { kind: 'text' }>,
  end: End,
): Pick<KeptReview, 'accepted' | 'facts' | 'wasAbsent'> & { old: string } {
  const { exact, facts } = content
  const before = { facts: exact?.baseFacts ?? facts, old: baseOf(content.draft).toString() }
  const isOnDisk = end === 'confirmed' || end === 'kept'
  if (review.machine.effect !== 'written') {
    const { fingerprint } = resultOf(content)
    if (isOnDisk && review.isNew && exact) return { ...before, accepted: fingerprint, wasAbsent: true }
    return { ...before, accepted: isOnDisk && !review.isNew ? fingerprint : null }
  }
  const left = end === 'rejected' ? review.machine.base : resultOf(content).fingerprint
  // If the change was kept as found, undo restores the text from before it; if it was put back, the text that was
  // found.
  if (left === review.machine.proposed) {
    return { ...before, accepted: isOnDisk && !review.isNew ? left : null }
  }
  const isDone = isOnDisk || end === 'rejected'
  const found = { facts, old: content.firstProposed.toString(), accepted: isDone ? left : null }
  return exact?.isGone ? { ...found, wasAbsent: true } : found
}

function questionOf(review: Review): NonNullable<KeptReview['question']> {
  const { path, title, effect } = review.proposal
  return { origin: originOf(review), path, title, effect, isNew: review.isNew }
}

function howOf(end: End): KeptReview['how'] | null {
  switch (end) {
    case 'confirmed':
    case 'diverged':
    case 'unconfirmed':
      return 'accepted'
    case 'rejected':
      return 'rejected'
    case 'kept':
      return 'kept'
    case 'discarded':
      return 'discarded'
    case 'answered-there':
    case 'withdrawn':
    case 'replaced':
      return null
    default:
      return unreachable(end)
  }
}
