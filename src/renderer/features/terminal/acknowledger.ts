/** The host is told after this many characters; after twice as many while it has sent that much more and so isn't waiting. */
const batch = 64 << 10
/** When nothing more is there, the host may be waiting and is told after this many. Its window is never this small. */
const least = 8 << 10

/**
 * Counts the output that the terminal has parsed and tells the host in batches. After a snapshot (`begin`) earlier
 * pieces no longer count: the host has forgotten them.
 */
export class Acknowledger {
  readonly #tell: (length: number) => void
  #generation = 0
  #parsed = 0
  #unparsed = 0

  constructor(tell: (length: number) => void) {
    this.#tell = tell
  }

  begin(): void {
    this.#generation++
    this.#parsed = 0
    this.#unparsed = 0
  }

  /** Makes the write callback of a piece of this length; call it when the piece arrives. */
  piece(length: number): () => void {
    const generation = this.#generation
    this.#unparsed += length
    return () => {
      if (generation !== this.#generation) return
      this.#parsed += length
      this.#unparsed -= length
      if (this.#parsed >= (this.#unparsed < 2 * batch ? batch : 2 * batch)) this.#tellAll()
    }
  }

  /** Everything received has been parsed. */
  drained(): void {
    if (this.#parsed >= least) this.#tellAll()
  }

  #tellAll(): void {
    this.#tell(this.#parsed)
    this.#parsed = 0
  }
}
