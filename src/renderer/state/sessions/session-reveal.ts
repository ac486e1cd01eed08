import { createStore } from 'zustand/vanilla'

/** A message to scroll to in its conversation. */
export interface WantedMessage {
  session: string
  /** The uuid of its line; null where the line has none. */
  uuid: string | null
  /** The offset of that line, in bytes. */
  offset: number
  /** Where a sub-agent of that message said it: the line in its record; the innermost last, as in `SessionHit`. */
  inside: readonly { agent: string; uuid: string | null; offset: number }[]
  /** What was found stands in a tool of it. */
  isTool: boolean
  /** What was looked for, as it was typed. */
  typed: string
}

/** The message that was asked for last; whoever shows it clears it. */
export const wantedMessage = createStore<{ message: WantedMessage | null }>()(() => ({ message: null }))
