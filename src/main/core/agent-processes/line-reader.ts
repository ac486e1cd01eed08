/** A line that a process wrote, without its end. */
export type ProcessLine =
  | { kind: 'line'; text: string }
  /** Too long to read: its length in bytes, and its beginning. */
  | { kind: 'too-long'; bytes: number; head: string }

const newline = 0x0a
const carriageReturn = 0x0d
/** How much is kept of a line that is too long, in bytes. */
const headLength = 1024

/** Turns chunks of bytes into lines. Never holds more than the longest line. */
export class LineReader {
  readonly #longest: number
  #pieces: Buffer[] = []
  #length = 0
  #head: string | null = null

  /** `longest`: in bytes, without the line's end. */
  constructor(longest: number) {
    this.#longest = longest
  }

  /** The lines that end in this chunk. */
  *read(piece: Buffer): Generator<ProcessLine> {
    for (let from = 0; from < piece.length;) {
      const to = piece.indexOf(newline, from)
      if (to < 0) return this.#take(piece.subarray(from))
      this.#take(piece.subarray(from, to))
      yield this.#end()
      from = to + 1
    }
  }

  /** What is left at the end without a line break; null if there is nothing. */
  rest(): ProcessLine | null {
    return this.#length === 0 ? null : this.#end()
  }

  #take(part: Buffer): void {
    if (part.length === 0) return
    this.#length += part.length
    if (this.#head !== null) return
    this.#pieces.push(part)
    // One byte more, for a carriage return.
    if (this.#length <= this.#longest + 1) return
    this.#head = Buffer.concat(this.#pieces).subarray(0, headLength).toString()
    this.#pieces = []
  }

  #end(): ProcessLine {
    const line = this.#read()
    this.#pieces = []
    this.#length = 0
    this.#head = null
    return line
  }

  #read(): ProcessLine {
    if (this.#head !== null) return { kind: 'too-long', bytes: this.#length, head: this.#head }
    const [only] = this.#pieces
    const whole = this.#pieces.length === 1 && only ? only : Buffer.concat(this.#pieces)
    const bytes = whole[whole.length - 1] === carriageReturn ? whole.subarray(0, -1) : whole
    if (bytes.length <= this.#longest) return { kind: 'line', text: bytes.toString() }
    return { kind: 'too-long', bytes: bytes.length, head: bytes.subarray(0, headLength).toString() }
  }
}
