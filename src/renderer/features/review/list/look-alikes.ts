import type { Connection } from '../../../../shared/contract/connections'
import type { ReviewSummary } from '../../../../shared/contract/review'
import type { Terminal } from '../../../../shared/contract/terminals'

type Asked = Pick<ReviewSummary, 'id' | 'path' | 'phase' | 'agent' | 'connection' | 'askedAt'>

/** What sets a review apart from others that look like it; null where none does. */
export interface Distinction {
  /** Who asks, beyond the agent's name: "in “Claude Code 2”", "pid 4711". */
  readonly who: string | null
  /** Its place among the reviews of its file: "2nd in line". */
  readonly turn: string | null
}

/** Tells reviews apart: those of one agent's several command lines, and those of one file. */
export function tellApart(
  review: Asked,
  reviews: readonly Asked[],
  connections: readonly Pick<Connection, 'id' | 'pid' | 'terminal'>[],
  terminals: readonly Pick<Terminal, 'id' | 'title'>[],
): Distinction {
  const isShared = reviews.some(
    (other) => other.agent === review.agent && other.connection !== review.connection,
  )
  return {
    who: isShared ? nameOf(review.connection, connections, terminals) : null,
    turn: turnOf(review, reviews),
  }
}

/** By its terminal if only one has that title, else by its process. */
function nameOf(
  id: string,
  connections: readonly Pick<Connection, 'id' | 'pid' | 'terminal'>[],
  terminals: readonly Pick<Terminal, 'id' | 'title'>[],
): string | null {
  const connection = connections.find((other) => other.id === id)
  if (!connection) return null
  const title = terminals.find((terminal) => terminal.id === connection.terminal)?.title
  const isAlone = terminals.filter((terminal) => terminal.title === title).length === 1
  if (title !== undefined && isAlone) return `in “${title}”`
  return connection.pid === null ? null : `pid ${connection.pid}`
}

function turnOf(review: Asked, reviews: readonly Asked[]): string | null {
  if (review.phase !== 'queued') return null
  const isBefore = (other: Asked) =>
    other.path === review.path &&
    other.id !== review.id &&
    (other.phase !== 'queued' || other.askedAt < review.askedAt)
  return `${ordinal(reviews.filter(isBefore).length + 1)} in line`
}

function ordinal(place: number): string {
  const isTeen = place % 100 > 10 && place % 100 < 14
  const ending = isTeen ? 'th' : ({ 1: 'st', 2: 'nd', 3: 'rd' }[place % 10] ?? 'th')
  return `${place}${ending}`
}
