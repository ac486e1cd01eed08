/** The names under which the shell's preload and main process exchange pieces of messages. */
export const openTopic = 'page:open'
export const pieceTopic = 'page:piece'

/**
 * What the preload gives to the page, and nothing else: a channel for pieces of messages (see message-pieces.ts), and
 * the path of a dropped file. `null` says that the host has closed the channel; `open` makes a new one.
 */
export interface PagePort {
  open(hear: (piece: string | null) => void): void
  send(piece: string): void
  /** The path of a file that the person has dropped on the page or chosen; empty for any other object. */
  pathOf(file: unknown): string
}

/** Its name on the page's global object. */
export const pagePortName = 'greenlightPort'
