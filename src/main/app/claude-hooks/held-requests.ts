import type { ReviewDesk } from '../../core/review/desk'
import type { DeskEvent, SaidWords } from '../../core/review/desk-events'
import { type CallOf, permissionAnswer } from '../../protocols/claude-hooks/hook-wire'
import type { HookSession } from '../../protocols/claude-hooks/ports'
import { rejection } from '../../protocols/claude-tools/edit-review'
import { editedPath, isEditTool } from '../../protocols/claude-tools/edit-tools'

/**
 * The review and the request for permission come within some 2 ms of each other; on a busy machine one may be seen so many
 * milliseconds before the other.
 */
const sameMoment = 500
/** A review that hasn't opened after so many milliseconds will not. */
const patience = 2000

interface Held {
  connection: string
  path: string
  /** Reviews from before this have nothing to do with it. Milliseconds since the epoch. */
  since: number
  /** The review of the change; null before it opens. */
  review: string | null
  end(answer: object | null): void
}

/**
 * Where Claude Code asks about a change over another connection, it asks its hooks for permission as well. That request is
 * kept open while the review is: denied with words, it tells the model, and the turn goes on.
 */
export class HeldRequests {
  readonly #desk: Pick<ReviewDesk, 'summaries' | 'summary' | 'onChange'>
  readonly #held = new Set<Held>()

  constructor(desk: Pick<ReviewDesk, 'summaries' | 'summary' | 'onChange'>) {
    this.#desk = desk
  }

  /**
   * Resolves with the denial, or with null, no opinion, once the review is over otherwise. Never kept: what has no such
   * review, and what a sub-agent asks, for in the background it opens its review only after this answer.
   */
  async hold(
    { tool_name: tool, tool_input: input, agent_id: agent }: CallOf<'PermissionRequest'>,
    { origin: { connection }, link }: Pick<HookSession, 'origin' | 'link'>,
    signal: AbortSignal,
  ): Promise<object | null> {
    const path = isEditTool(tool) ? editedPath(tool, input) : null
    if (!path?.ok || agent !== undefined || link !== 'linked' || signal.aborted) return null
    return new Promise((resolve) => {
      const held: Held = {
        ...{ connection, path: path.value, since: Date.now() - sameMoment, review: null },
        end: (answer) => {
          this.#held.delete(held)
          clearTimeout(timer)
          signal.removeEventListener('abort', leave)
          following.dispose()
          resolve(answer)
        },
      }
      const leave = () => held.end(null)
      const timer = setTimeout(() => held.review === null && leave(), patience)
      signal.addEventListener('abort', leave)
      const following = this.#desk.onChange((event) => {
        if (held.review === null) this.#find(held)
        else if (this.#isOver(held.review, event)) leave()
      })
      this.#held.add(held)
      this.#find(held)
    })
  }

  /** Tells the model why its change is rejected. False if no request of this review is held. */
  reject({ review, origin, path, words }: SaidWords): boolean {
    const held = [...this.#held].find((one) => one.review === review && one.connection === origin.connection)
    held?.end(permissionAnswer({ behavior: 'deny', message: rejection(path, words) }))
    return held !== undefined
  }

  #find(held: Held): void {
    const { connection, path, since } = held
    const found = this.#desk
      .summaries()
      .find(
        (one) =>
          isOpen(one.phase) && one.connection === connection && one.path === path && one.askedAt >= since,
      )
    held.review = found?.id ?? null
  }

  /** A rejection leaves the list before it is recorded, and counts only then. */
  #isOver(review: string, event: DeskEvent): boolean {
    if ((event.kind !== 'ended' && event.kind !== 'put') || event.id !== review) return false
    return event.kind === 'ended' || !isOpen(this.#desk.summary(review)?.phase)
  }
}

function isOpen(phase: string | undefined): boolean {
  return phase === 'open' || phase === 'queued'
}
