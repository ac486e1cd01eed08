/** How much is kept, in bytes. */
const mostKept = 16 * 1024

/** The end of what a process wrote to its standard error. It goes to the person, never to a log. */
export class Complaints {
  #pieces: Buffer[] = []
  #length = 0
  #isCut = false

  take(piece: Buffer): void {
    // Copied, because a slice would keep its whole piece in memory.
    const kept = Buffer.from(piece.length > mostKept ? piece.subarray(-mostKept) : piece)
    this.#pieces.push(kept)
    this.#length += kept.length
    this.#isCut ||= piece.length > mostKept
    while (this.#length - (this.#pieces[0]?.length ?? 0) >= mostKept) {
      this.#length -= this.#pieces.shift()?.length ?? 0
      this.#isCut = true
    }
  }

  /** Begins with a whole line if anything before it was dropped. */
  get text(): string {
    const whole = Buffer.concat(this.#pieces)
    const end = whole.subarray(-mostKept)
    const from = this.#isCut || end.length < whole.length ? end.indexOf(0x0a) + 1 : 0
    // Without colours and other control sequences.
    return end
      .subarray(from)
      .toString()
      .replace(/\u001b\[[0-?]*[ -/]*[@-~]|[^\P{Cc}\t\n]/gu, '')
      .trimEnd()
  }
}
