import { basename } from 'node:path'
import type { NewNotice, Notices } from '../../core/notices/notices'
import type { ReviewEnded } from '../../core/review/desk-events'

/** Reviews that were decided in one go. */
interface Batch {
  notice: string | null
  /** How many files came to which end. */
  readonly counts: Map<string, number>
  readonly undoable: string[]
}

/** Tells in a window's notices how reviews ended: a sentence for each, or one for all that were decided in one go. */
export class ReviewEndNotices {
  readonly #notices: Notices
  /** The batch of each review that has not ended yet. */
  readonly #batches = new Map<string, Batch>()
  /** The notice of the file that was accepted last. */
  #accepted: string | null = null

  constructor(notices: Notices) {
    this.#notices = notices
  }

  /** These reviews are decided in one go, from now on. */
  begin(ids: readonly string[]): void {
    if (ids.length < 2) return
    const batch: Batch = { notice: null, counts: new Map(), undoable: [] }
    for (const id of ids) this.#batches.set(id, batch)
  }

  /** These were not decided after all. */
  leave(ids: readonly string[]): void {
    for (const id of ids) this.#batches.delete(id)
  }

  /** `isByClosing`: the review ended because the person closed its tab. */
  tell(event: ReviewEnded, isByClosing = false): void {
    const batch = this.#batches.get(event.id)
    this.#batches.delete(event.id)
    const done = wordsOfDone(event)
    if (isByClosing && event.end === 'rejected') return this.#tellRejection(event)
    if (done === null) return this.#tellProblem(event)
    if (batch) return this.#tellBatch(batch, event, done)
    const undo = { kind: 'undo-review', label: 'Undo', review: event.id } as const
    const action = event.canUndo ? undo : null
    const text = `${basename(event.path)} ${done.one}.`
    // Who decides one file after the other wants to see the next; the undo of the one before is in the list.
    this.#accepted = this.#notices.put(this.#accepted, { kind: 'info', text, action, passing: true })
  }

  #tellBatch(batch: Batch, event: ReviewEnded, done: DoneWords): void {
    batch.counts.set(done.many, (batch.counts.get(done.many) ?? 0) + 1)
    if (event.canUndo) batch.undoable.push(event.id)
    const total = [...batch.counts.values()].reduce((sum, count) => sum + count, 0)
    const parts = [...batch.counts].map(
      ([words, count]) => `${count === 1 ? '1 file' : `${count} files`} ${words}`,
    )
    const left = batch.undoable.length
    const label = left === total ? 'Undo all' : `Undo ${left} of ${total}`
    const action: NewNotice['action'] =
      left > 0 ? { kind: 'undo-reviews', label, reviews: [...batch.undoable] } : null
    const text = `${parts.join(', ')}.`
    batch.notice = this.#notices.put(batch.notice, { kind: 'info', text, action, passing: true })
  }

  /** Closing a tab rejects its change: whoever did not know that can take it back. */
  #tellRejection({ id, path, canReopen }: ReviewEnded): void {
    this.#notices.add({
      kind: 'info',
      text: `You closed the tab for ${basename(path)}, so its change was rejected.`,
      action: canReopen ? { kind: 'reopen-review', label: 'Undo', review: id } : null,
      passing: true,
    })
  }

  #tellProblem({ end, path }: ReviewEnded): void {
    const name = basename(path)
    switch (end) {
      case 'diverged':
        this.#notices.add({
          kind: 'warning',
          text: `${name} no longer matches what you accepted. Check the file.`,
          action: { kind: 'open-file', label: 'Open file', path },
        })
        return
      case 'answered-there':
        this.#notices.add({ kind: 'info', text: `${name} was answered in the terminal.`, passing: true })
        return
      default:
        return
    }
  }
}

/** What was done, as said about one file, and about several. */
interface DoneWords {
  one: string
  many: string
}

/** What was done to the file as the person wished; null where that is not what happened, or nothing was done. */
function wordsOfDone({ effect, end }: ReviewEnded): DoneWords | null {
  const isWritten = effect === 'written'
  const same = (words: string) => ({ one: words, many: words })
  switch (end) {
    case 'confirmed':
      return same(isWritten ? 'kept' : 'accepted and written')
    case 'rejected':
      return isWritten ? { one: 'is as it was before', many: 'put back' } : null
    case 'kept':
      return same('written as your change')
    default:
      return null
  }
}
