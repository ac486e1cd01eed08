import { type Result, fail, succeed, unreachable } from '../../../shared/result'
import type { MachineEvent } from './machine'
import { type Review, isBeforeUnknown, objectionOf, wantedOf, wordsOf } from './review'
import { unknownBefore } from './sentences'

/** What a person decides about a whole review. `insists`: even if it can't be recorded. */
export type Wish =
  | { readonly kind: 'accept'; readonly insists: boolean }
  | { readonly kind: 'reject'; readonly note: string | undefined; readonly insists: boolean }
  /** Orphaned: write the draft as the person's own change. */
  | { readonly kind: 'keep' }
  /** Overdue: write what was accepted. */
  | { readonly kind: 'write-myself' }
  /** Forget an orphaned draft, or an accepted one that nobody has written. */
  | { readonly kind: 'discard' }

/** The event for a decision on a review as seen at `revision`, or why it isn't possible. */
export function eventOf(review: Review | undefined, revision: number, wish: Wish): Result<MachineEvent> {
  if (wish.kind === 'accept') {
    const objection = objectionOf(review)
    if (objection !== null) return fail('unsayable', objection)
  }
  if (!review) return fail('gone', 'This review has ended. Check the list of reviews.')
  const phase = review.machine.phase.kind
  if (!phasesFor[wish.kind].includes(phase)) {
    return fail('not-now', 'That’s not possible in the review’s current state. Check the review.')
  }
  if (review.revision !== revision) return staleReview
  switch (wish.kind) {
    case 'accept': {
      const { text, fingerprint } = wantedOf(review)
      const words = wordsOf(review)
      return succeed({
        ...{ kind: 'accept', text, fingerprint, insists: wish.insists },
        ...(words === undefined ? {} : { words }),
      })
    }
    case 'reject': {
      if (isBeforeUnknown(review.content)) return unknownBefore
      const note = wordsOf(review, wish.note)
      return succeed({ kind: 'reject', ...(note === undefined ? {} : { note }), insists: wish.insists })
    }
    case 'keep':
    case 'write-myself':
      return succeed({ kind: 'keep' })
    case 'discard':
      return succeed({ kind: 'discard' })
    default:
      return unreachable(wish)
  }
}

const phasesFor: Record<Wish['kind'], readonly string[]> = {
  accept: ['open'],
  reject: ['open'],
  keep: ['orphaned'],
  'write-myself': ['overdue'],
  discard: ['orphaned', 'overdue'],
}

export const staleReview = fail('stale', 'The review has changed. Check it, then decide.')
