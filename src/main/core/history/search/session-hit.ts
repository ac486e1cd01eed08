import type { Excerpt } from '../../../../shared/conversation/session-query'
import type { Speaker } from './searchable-text'
import type { ShownPlace } from '../figure-count'

/** A line in a sub-agent's own record. */
export interface AgentPlace {
  agent: string
  uuid: string | null
  /** In that record, in bytes. */
  offset: number
}

/** Where a sub-agent was started: by a tool of its session, possibly through other sub-agents. */
export interface AgentStart {
  /** The session's line that uses the tool; for a nested sub-agent, the tool that started the outermost. */
  card: ShownPlace
  /** The way from there to this one's tool: a line in the record of each sub-agent between. */
  above: readonly AgentPlace[]
}

/** A text in a session that contains all words. */
export interface SessionHit extends Excerpt {
  /** Of the session's line that shows it; null if that has none. */
  uuid: string | null
  /** Of the same line, in bytes. */
  offset: number
  /**
   * For what a sub-agent said or did: its line in the sub-agent's record, while `offset` is the line whose tool started
   * it. Several for nested sub-agents, the innermost last. Empty for the session's own words.
   */
  inside: AgentPlace[]
  /** Milliseconds since the epoch. */
  at: number | null
  speaker: Speaker
}

/** What was found in one session. */
export interface SessionHits {
  /** Newest first. */
  hits: SessionHit[]
  /** There are more, older ones. */
  isCut: boolean
}
