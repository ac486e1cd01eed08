import type { Excerpt } from '../../../shared/conversation/session-query'
import type { Speaker } from './searchable-text'
import type { ShownPlace } from './figure-count'

/** A line of a sub-agent's own record. */
export interface AgentPlace {
  agent: string
  uuid: string | null
  /** In that record, in bytes. */
  offset: number
}

/** Where a sub-agent was started: by a tool of its session, on the way through the records of others. */
export interface AgentStart {
  /** The session's line that uses the tool; of a sub-agent's sub-agent, the one that started the outermost. */
  card: ShownPlace
  /** The way from there to this one's tool: a line in the record of each sub-agent between. */
  above: readonly AgentPlace[]
}

/** A text of a session in which all words stand. */
export interface SessionHit extends Excerpt {
  /** Of the session's line that it is shown in; null where that has none. */
  uuid: string | null
  /** Of the same line, in bytes. */
  offset: number
  /**
   * What a sub-agent said or did: that line uses the tool that started it, and this is the line in its record; more
   * than one where sub-agents started each other, the innermost last. Empty for the session's own words.
   */
  inside: AgentPlace[]
  /** Milliseconds since the epoch. */
  at: number | null
  speaker: Speaker
}

/** What was found in one session. */
export interface SessionHits {
  /** The newest first. */
  hits: SessionHit[]
  /** There are more, older ones. */
  isCut: boolean
}
