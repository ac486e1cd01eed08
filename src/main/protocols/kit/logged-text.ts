/** Hears of each message. `text` is only the beginning of a large one, of `bytes` bytes in all. */
export type HearFrame = (direction: 'in' | 'out', text: string, bytes: number) => void

/** A longer message is logged by its beginning only, in characters. */
const longestLogged = 256 * 1024
/** How much of a large message a log gets, in characters or bytes. */
export const loggedPart = 4096

/** What of a message a log gets. */
export function loggedText(text: string): string {
  return text.length > longestLogged ? text.slice(0, loggedPart) : text
}
