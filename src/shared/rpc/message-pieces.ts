/**
 * Splits long messages, for channels that copy each message whole. Each piece begins with a mark: `=` is a whole
 * message, `+` has more to come, `.` is the last of several. The channel must keep the order.
 */

/** The longest piece, in UTF-16 units; with its mark it stays below 1 MB even where each unit is two bytes. */
export const longestPiece = 500_000

/** The longest message that a receiver accepts, in UTF-16 units. */
export const longestMessage = 128 * 1024 * 1024

/**
 * Splits a text into pieces of at most `longest` UTF-16 units (at least 2). A surrogate pair is never cut, since a lone
 * half would be replaced when a piece is encoded as UTF-8.
 */
export function splitText(text: string, longest: number): string[] {
  if (longest < 2) throw new RangeError('a piece needs room for a surrogate pair')
  const pieces: string[] = []
  let from = 0
  while (text.length - from > longest) {
    const to = cutBefore(text, from + longest)
    pieces.push(text.slice(from, to))
    from = to
  }
  pieces.push(text.slice(from))
  return pieces
}

/** The beginning of a text, at most `longest` UTF-16 units; a surrogate pair is never cut. */
export function firstOf(text: string, longest: number): string {
  return text.length <= longest ? text : text.slice(0, cutBefore(text, longest))
}

/** Splits a message; a surrogate pair is never cut. */
export function splitMessage(message: string, longest: number = longestPiece): string[] {
  const pieces = splitText(message, longest)
  if (pieces.length === 1) return [`=${message}`]
  return pieces.map((piece, index) => (index < pieces.length - 1 ? `+${piece}` : `.${piece}`))
}

/** The result of a piece: a whole message, more to come, or why this sender is wrong. */
export type Joined =
  | { kind: 'message'; message: string }
  | { kind: 'more' }
  | { kind: 'wrong'; reason: string }

/** Joins pieces into messages. After `wrong` it starts over with the next piece. */
export class PieceJoiner {
  readonly #longest: number
  #parts: string[] = []
  #length = 0

  constructor(longest: number = longestMessage) {
    this.#longest = longest
  }

  add(piece: string): Joined {
    const mark = piece.charAt(0)
    const text = piece.slice(1)
    if (mark !== '=' && mark !== '+' && mark !== '.') return this.#wrong('a piece without its mark')
    if (mark === '=' && this.#parts.length > 0) return this.#wrong('a message began inside another')
    if (mark === '.' && this.#parts.length === 0) return this.#wrong('an end without a beginning')
    if (this.#length + text.length > this.#longest) return this.#wrong('a message that is too long')
    if (mark === '=') return { kind: 'message', message: text }
    this.#parts.push(text)
    this.#length += text.length
    if (mark === '+') return { kind: 'more' }
    const message = this.#parts.join('')
    this.#forget()
    return { kind: 'message', message }
  }

  #wrong(reason: string): Joined {
    this.#forget()
    return { kind: 'wrong', reason }
  }

  #forget(): void {
    this.#parts = []
    this.#length = 0
  }
}

/** Where to cut so that at most `end` units come before. */
function cutBefore(text: string, end: number): number {
  const last = text.charCodeAt(end - 1)
  return last >= 0xd800 && last <= 0xdbff ? end - 1 : end
}
