import type { HearFrame } from './logged-text'

/** Port and token, kept per folder so that a command line finds the app again after a restart. */
export interface KeptAddress {
  port: number
  token: string
}

/** What is known of a connection; it grows while the client introduces itself. */
export interface ConnectionFacts {
  id: string
  agent: string
  version?: string
  pid?: number
  /** Milliseconds since the epoch. */
  since: number
}

/** A mention of a file, or of lines of it: 0-based, the last one included. */
export interface Mention {
  path: string
  lines?: { first: number; last: number }
}

/** One shown connection. */
export interface ConnectionEntry<Facts = ConnectionFacts> {
  update(facts: Facts): void
  frame: HearFrame
  /** Something the person should know, as one sentence. */
  say(message: string): void
  closed(): void
}
