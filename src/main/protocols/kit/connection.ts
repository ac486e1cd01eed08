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

/** One shown connection. */
export interface ConnectionEntry<Facts = ConnectionFacts> {
  update(facts: Facts): void
  /** `text` is only the beginning of a large frame; `bytes` is its whole size. */
  frame(direction: 'in' | 'out', text: string, bytes: number): void
  /** Something the person should know, as one sentence. */
  say(message: string): void
  closed(): void
}
