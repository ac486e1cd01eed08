/** Limits of the window, in characters: less starves a page, and no page needs more. */
const smallest = 64 << 10
const largest = 1 << 20
const first = 128 << 10
/**
 * How long output may take until the page has parsed it, in milliseconds; an echo waits as long. Less than this starves
 * the page as soon as the processors are shared. (Source: measured.)
 */
const wantedMs = 20
/** One measurement says little: the window changes by at most this factor over one window's worth of output. */
const swing = 1.5

interface Sent {
  /** Everything sent so far, including it. */
  total: number
  at: number
}

/**
 * How much unparsed output a page may have. The window follows the time from sending to acknowledgement, so that what a
 * person types in a flood isn't shown after seconds of older output, however fast the page is.
 */
export class PageCredit {
  readonly #now: () => number
  #size = first
  #given = 0
  #parsed = 0
  #isFull = false
  #sent: Sent[] = []

  /** `now` returns milliseconds. */
  constructor(now: () => number) {
    this.#now = now
  }

  /** Whether the page has enough for now. Once full, it stays so until a quarter has been parsed. */
  get exhausted(): boolean {
    return this.#isFull
  }

  /** How many characters may be under way. */
  get size(): number {
    return this.#size
  }

  /** Characters sent and not yet parsed. */
  get outstanding(): number {
    return this.#given - this.#parsed
  }

  give(length: number): void {
    this.#given += length
    this.#sent.push({ total: this.#given, at: this.#now() })
    if (this.outstanding > this.#size) this.#isFull = true
  }

  /** Takes note that the page has parsed more characters. More than were sent count as all of them. */
  acknowledge(length: number): void {
    const before = this.#parsed
    this.#parsed = Math.min(this.#given, before + length)
    let newest: Sent | undefined
    while (this.#sent[0] && this.#sent[0].total <= this.#parsed) newest = this.#sent.shift()
    if (newest) this.#adapt(this.#now() - newest.at, this.#parsed - before)
    if (this.outstanding <= this.#size * 0.75) this.#isFull = false
  }

  #adapt(ms: number, length: number): void {
    const factor = Math.min(swing, Math.max(1 / swing, wantedMs / ms))
    // Grows only if it is holding something back.
    if (factor > 1 && !this.#isFull) return
    const share = Math.min(1, length / this.#size)
    this.#size = Math.round(Math.min(largest, Math.max(smallest, this.#size * factor ** share)))
  }
}
