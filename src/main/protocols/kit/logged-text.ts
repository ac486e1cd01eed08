/** A longer message is logged by its beginning only, in characters. */
const longestLogged = 256 * 1024
const beginning = 4096

/** What of a message a log gets. */
export function loggedText(text: string): string {
  return text.length > longestLogged ? text.slice(0, beginning) : text
}
