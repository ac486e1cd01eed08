import type { Connection } from '../../../../shared/contract/connections'
import type { ReviewSummary } from '../../../../shared/contract/review'
import type { SessionSummary } from '../../../../shared/contract/sessions'
import type { AskedReview } from '../conversation'

type Asking = Pick<ReviewSummary, 'id' | 'path' | 'name' | 'phase' | 'effect' | 'connection' | 'askedAt'>

/** The reviews that the agent in a session's terminal waits for, the oldest first. */
export function askedReviews(
  session: Pick<SessionSummary, 'terminal'> | undefined,
  reviews: readonly Asking[],
  connections: readonly Pick<Connection, 'id' | 'terminal'>[],
): AskedReview[] {
  const terminal = session?.terminal ?? null
  if (terminal === null) return []
  const own = new Set(connections.filter((one) => one.terminal === terminal).map(({ id }) => id))
  return reviews
    .filter(({ connection, phase, effect }) => {
      return own.has(connection) && effect !== 'written' && (phase === 'open' || phase === 'queued')
    })
    .sort((one, other) => one.askedAt - other.askedAt)
    .map(({ id, path, name }) => ({ id, path, name }))
}
