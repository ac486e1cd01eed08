import type { Connection } from '../../../../shared/contract/connections'
import type { ReviewSummary } from '../../../../shared/contract/review'
import type { SessionSummary } from '../../../../shared/contract/sessions'
import type { AskedReview } from '../conversation-state'

type Asking = Pick<
  ReviewSummary,
  'id' | 'path' | 'name' | 'phase' | 'effect' | 'connection' | 'conversation' | 'askedAt'
>

/** The reviews that the agent in a session's terminal waits for, the oldest first. */
export function askedReviews(
  session: Pick<SessionSummary, 'terminal'> | undefined,
  reviews: readonly Asking[],
  connections: readonly Pick<Connection, 'id' | 'terminal'>[],
): AskedReview[] {
  const terminal = session?.terminal ?? null
  if (terminal === null) return []
  const own = new Set(connections.filter((one) => one.terminal === terminal).map(({ id }) => id))
  return waiting(reviews.filter(({ connection }) => own.has(connection)))
}

/** The reviews that the agent of a driven conversation waits for, the oldest first. */
export function reviewsAskedIn(conversation: string, reviews: readonly Asking[]): AskedReview[] {
  // The host writes what the person asked for in it, such as a rewind: nobody waits for that.
  return waiting(reviews.filter((one) => one.conversation === conversation && one.effect !== 'host'))
}

function waiting(reviews: readonly Asking[]): AskedReview[] {
  return reviews
    .filter(({ phase, effect }) => effect !== 'written' && (phase === 'open' || phase === 'queued'))
    .sort((one, other) => one.askedAt - other.askedAt)
    .map(({ id, path, name }) => ({ id, path, name }))
}
