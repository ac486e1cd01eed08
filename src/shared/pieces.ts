/**
 * A long message as several short ones, for ways that copy each message whole. Each piece begins with a mark: `=` is
 * a message of its own, `+` has more to come, `.` is the last of several. Order and arrival are the way's business.
 */

/** The longest piece, in UTF-16 units; with its mark it stays below 1 MB even where each unit is two bytes. */
export const longestPiece = 500_000

/** The longest message that a receiver takes, in UTF-16 units. */
export const longestMessage = 128 * 1024 * 1024

/** Splits a message. A surrogate pair is never cut, for some ways replace a lone half. */
export function splitMessage(message: string, longest: number = longestPiece): string[] {
  if (longest < 2) throw new RangeError('a piece needs room for a surrogate pair')
  if (message.length <= longest) return [`=${message}`]
  const pieces: string[] = []
  let from = 0
  while (message.length - from > longest) {
    const to = isHighSurrogate(message, from + longest - 1) ? from + longest - 1 : from + longest
    pieces.push(`+${message.slice(from, to)}`)
    from = to
  }
  pieces.push(`.${message.slice(from)}`)
  return pieces
}

/** What a piece led to: a whole message, the need for more, or a reason to give up on this sender. */
export type Joined =
  | { kind: 'message'; message: string }
  | { kind: 'more' }
  | { kind: 'wrong'; reason: string }

/** Puts pieces together again. After `wrong` it begins anew with the next piece. */
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

function isHighSurrogate(text: string, at: number): boolean {
  const unit = text.charCodeAt(at)
  return unit >= 0xd800 && unit <= 0xdbff
}
