import { isTouched } from '../../../shared/review/draft'
import { type DraftPush, takePush } from './draft-pushes'
import type { Offer, TextContent } from './review-content'
import { type Review, editsOf } from './review'

interface Replaced {
  content: TextContent
  /** The review that took its place. */
  by: string
}

/** More than these are not remembered; only what is under way when a proposal is replaced can still come. */
const mostRemembered = 32

/**
 * Reviews that are over because their agent asked anew. What their pages sent a moment too late still counts: it is
 * offered to the proposal that took their place.
 */
export class ReplacedReviews {
  readonly #replaced = new Map<string, Replaced>()

  /** A review has been replaced by another. */
  add({ id, content }: Pick<Review, 'id' | 'content'>, by: string): void {
    if (content.kind !== 'text') return
    this.#replaced.set(id, { content, by })
    for (const oldest of this.#replaced.keys()) {
      if (this.#replaced.size <= mostRemembered) break
      this.#replaced.delete(oldest)
    }
  }

  /** Takes a late push. `late`: what is to be offered now, and to which review. */
  take(
    id: string,
    push: DraftPush,
  ): { status: 'accepted' | 'behind' | 'closed'; late?: { to: string; offer: Offer } } {
    const replaced = this.#replaced.get(id)
    if (!replaced) return { status: 'closed' }
    const taken = takePush(replaced.content, push)
    if (taken.status === 'behind') return taken
    replaced.content = taken.content
    const offer = editsOf(taken.content)
    const to = this.#heirOf(replaced)
    const isNew = taken.steps.length > 0 && offer !== null && to !== null
    return { status: 'accepted', ...(isNew ? { late: { to, offer } } : {}) }
  }

  /** A review is over, or has taken over what was offered to it: nothing more is offered to it. */
  forget(heir: string): void {
    for (const [id, replaced] of this.#replaced) {
      if (this.#heirOf(replaced) === heir) this.#replaced.delete(id)
    }
  }

  /** The review that is open in its place; null where the person has worked on one in between, which is offered then. */
  #heirOf({ by }: Replaced): string | null {
    const next = this.#replaced.get(by)
    if (!next) return by
    return isTouched(next.content.draft) ? null : this.#heirOf(next)
  }
}
