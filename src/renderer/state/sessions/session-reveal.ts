import { createStore } from 'zustand/vanilla'

/** A message to scroll to in its conversation. */
export interface WantedMessage {
  session: string
  /** The uuid of its line; null where the line has none. */
  uuid: string | null
  /** The offset of that line, in bytes. */
  offset: number
  /** If a sub-agent said it, the line in its record; the innermost last, as in `SessionHit`. */
  inside: readonly { agent: string; uuid: string | null; offset: number }[]
  /** The hit is in one of its tools. */
  isTool: boolean
  /** The search as it was typed. */
  typed: string
}

/** The message last asked for; whoever shows it clears this. */
export const wantedMessage = createStore<{ message: WantedMessage | null }>()(() => ({ message: null }))
