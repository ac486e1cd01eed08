import { dropOldest } from '../../../shared/drop-oldest'
import { isTouched } from '../../../shared/review/draft'
import { type DraftPush, takePush } from './draft-pushes'
import type { Offer, TextContent } from './review-content'
import { type Review, editsOf } from './review'

interface Replaced {
  content: TextContent
  /** The id of the review that replaced it. */
  by: string
}

/** How many are remembered; only pushes already under way can still come for them. */
const mostRemembered = 32

/**
 * Reviews that ended because their agent asked again. Steps that a page sent a moment too late still count: they are
 * offered to the new proposal.
 */
export class ReplacedReviews {
  readonly #replaced = new Map<string, Replaced>()

  add({ id, content }: Pick<Review, 'id' | 'content'>, by: string): void {
    if (content.kind !== 'text') return
    this.#replaced.set(id, { content, by })
    dropOldest(this.#replaced, mostRemembered)
  }

  /** Takes a late push. `late`: what to offer now, and to which review. */
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

  /** A review is over, or has taken its offer: it gets no more. */
  forget(heir: string): void {
    for (const [id, replaced] of this.#replaced) {
      if (this.#heirOf(replaced) === heir) this.#replaced.delete(id)
    }
  }

  /** The open review in its place; null if the person worked on one in between, whose edits are offered instead. */
  #heirOf({ by }: Replaced): string | null {
    const next = this.#replaced.get(by)
    if (!next) return by
    return isTouched(next.content.draft) ? null : this.#heirOf(next)
  }
}
