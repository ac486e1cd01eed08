/** After so many characters the host is told; after twice as many while it has sent that much more: it does not wait. */
const batch = 64 << 10
/** And after this many when nothing more is there: the host may be waiting. Its window is never as small as this. */
const least = 8 << 10

/**
 * Counts output that the terminal has parsed and tells the host in batches. A new beginning (a snapshot) makes what is
 * still to come of the old one count no more: the host has forgotten it.
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

  /** For the write callback of a piece of this length, to be made when the piece arrives. */
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

  /** All that has come is parsed. */
  drained(): void {
    if (this.#parsed >= least) this.#tellAll()
  }

  #tellAll(): void {
    this.#tell(this.#parsed)
    this.#parsed = 0
  }
}
