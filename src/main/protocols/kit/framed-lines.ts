import { LineReader, type ProcessLine } from '../../core/agent-processes/line-reader'

const newline = 0x0a
const quote = 0x22
const backslash = 0x5c
const openBrace = 0x7b
const closeBrace = 0x7d

/**
 * Reads messages of JSON, a line each, from the frames of a socket: several in a frame, one over several, and one whose
 * line has no end, which is complete when its object is. Blank lines say nothing. However a text is cut into frames, its
 * messages are the same.
 */
export class FramedLines {
  readonly #lines: LineReader
  readonly #object = new OpenObject()

  /** `longest`: of a message, in bytes. */
  constructor(longest: number) {
    this.#lines = new LineReader(longest)
  }

  /** The messages that end in this frame, as their lines. */
  *read(frame: Buffer): Generator<ProcessLine> {
    for (const line of this.#lines.read(frame)) if (!isBlank(line)) yield line
    const lastEnd = frame.lastIndexOf(newline)
    if (lastEnd >= 0) this.#object.begin()
    this.#object.take(frame, lastEnd + 1)
    if (this.#object.isComplete) yield* this.rest()
  }

  /** What is left when the socket has closed, if it says anything. */
  *rest(): Generator<ProcessLine> {
    this.#object.begin()
    const rest = this.#lines.rest()
    if (rest && !isBlank(rest)) yield rest
  }
}

function isBlank(line: ProcessLine): boolean {
  return line.kind === 'line' && line.text.trim() === ''
}

/** Whether the bytes of a line are an object from its first brace to its last, without parsing what is not whole yet. */
class OpenObject {
  #depth = 0
  #isInText = false
  #isEscaped = false
  #isComplete = false

  get isComplete(): boolean {
    return this.#isComplete
  }

  begin(): void {
    this.#depth = 0
    this.#isInText = false
    this.#isEscaped = false
    this.#isComplete = false
  }

  take(bytes: Buffer, from: number): void {
    for (let at = from; at < bytes.length; at += 1) this.#step(bytes[at])
  }

  #step(byte: number | undefined): void {
    if (this.#isEscaped) this.#isEscaped = false
    else if (this.#isInText) {
      if (byte === backslash) this.#isEscaped = true
      else if (byte === quote) this.#isInText = false
    } else if (byte === quote) this.#isInText = true
    else if (byte === openBrace) {
      this.#depth += 1
      this.#isComplete = false
    } else if (byte === closeBrace && this.#depth > 0) {
      this.#depth -= 1
      this.#isComplete = this.#depth === 0
    }
  }
}
