import type { Seen } from '../../../shared/agent-view'
import type { SentItem } from '../../../shared/contract/context'
import type { Listen } from '../../../shared/lifetime'
import type { ReviewDesk } from '../../core/review/desk'
import type { ConnectionEntry, ConnectionFacts } from '../kit/connection'

/**
 * What this dialect needs of the app. Positions are 0-based, characters in UTF-16 units, paths absolute, times in
 * milliseconds since the epoch.
 */

/** What agents may see of the editor, and the record of what they were given. */
export interface ContextPort {
  /** Read it when it is sent, not before. */
  seen(): Seen
  /** Agents may see something else now. `atOnce`: by the person's word, so nobody waits for a pause. */
  onChange: Listen<{ atOnce: boolean }>
  /** A connection was given something. */
  handed(to: { connection: string; agent: string }, item: SentItem): void
}

/** The folders of one window. */
export interface FoldersPort {
  /** Real paths. */
  folders(): readonly string[]
  onChange: Listen<void>
}

/** Where connections are shown and their messages logged. */
export interface ConnectionsPort {
  opened(facts: ConnectionFacts): ConnectionEntry
  /** A request was refused; a sentence for the log. */
  refused(status: number, message: string): void
  /** The process at the other end of a connection to us, by its port there; undefined where that cannot be known. */
  processAt(clientPort: number, serverPort: number): Promise<number | undefined>
}

/** Everything that this dialect needs of the app. */
export interface GeminiCompanionPorts {
  /** Where proposed changes are reviewed. */
  review: Pick<ReviewDesk, 'open' | 'handOver'>
  context: ContextPort
  folders: FoldersPort
  connections: ConnectionsPort
}
