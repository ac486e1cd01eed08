/** The names under which the shell's preload and main process exchange pieces of messages. */
export const openTopic = 'page:open'
export const pieceTopic = 'page:piece'

/**
 * What the preload gives to the page: one way for pieces of messages (see pieces.ts), and the place of what the person drops; no other power. `null` says
 * that the host has closed the way; `open` makes a new one.
 */
export interface PagePort {
  open(hear: (piece: string | null) => void): void
  send(piece: string): void
  /** Where on the disk a file lies that the person has dropped on the page or chosen; empty for any other object. */
  pathOf(file: unknown): string
}

/** Under which name the page finds it on its global object. */
export const pagePortName = 'greenlightPort'
