import type { Typing } from '../../../shared/typing'

/** Bounds of the window, in characters: less starves a page, more is not needed by any. */
const smallest = 64 << 10
const largest = 1 << 20
const first = 128 << 10
/**
 * How long output may be on its way until the page has parsed it, in milliseconds: an echo waits as long. Less than this
 * starves the page as soon as the processors are shared. (Source: measured.)
 */
const wantedMs = 20
/**
 * So much without a breath is a flood; less may be a program's picture, which comes whole. A breath is this many
 * milliseconds in which output could have come and did not.
 */
const floodLength = 256 << 10
const breathMs = 20
/**
 * While a person types, a flood comes in two ways only: so much after each key press, for its echo lies behind what the
 * system's own buffers and streams hold already;
 */
const perKey = 32 << 10
/**
 * and so much after pauses that grow from one bound to the other, for the picture to go on; and for an echo that a busy
 * system was late with, so that more lies before it.
 */
const perPicture = 24 << 10
const shortestPause = 2
const longestPause = 50
/** A single measurement says little: the window changes by at most this factor over one window's worth of output. */
const swing = 1.5

interface Sent {
  /** All that had been given with it. */
  total: number
  at: number
}

/**
 * How much output a page may have without having parsed it. The window follows the time from giving to acknowledgement,
 * so that what a person types in a flood is not shown after seconds of older output, whatever the page's speed. While
 * the person does type, a flood only trickles: nothing is in the way of the echo, and the processors are free for it.
 */
export class PageWindow {
  readonly #typing: Typing
  readonly #now: () => number
  #size = first
  #given = 0
  #parsed = 0
  #isFull = false
  /** Given since the last breath; and since when output could have come. */
  #sinceBreath = 0
  #openSince = Number.NEGATIVE_INFINITY
  /** While somebody types output is given until there has been so much of it in all. */
  #free = 0
  #freed = 0
  #pressed = 0
  #sent: Sent[] = []

  /** `now` gives milliseconds. */
  constructor(typing: Typing, now: () => number) {
    this.#typing = typing
    this.#now = now
  }

  /** Whether the page has enough for now. Once full it stays so until a quarter has been parsed. */
  get exhausted(): boolean {
    if (!this.#trickles) return this.#isFull
    return this.#given >= this.#free || this.outstanding > largest
  }

  /** So many characters of a flood that somebody types into may come at once; 0 where none may, or where none floods. */
  get ahead(): number {
    if (!this.#trickles || this.exhausted) return 0
    return this.#free - this.#given
  }

  /** In how many milliseconds `refresh` is to be called, should the window be exhausted till then; null for never. */
  get refreshIn(): number | null {
    if (!this.#trickles) return null
    const pause = Math.min(longestPause, Math.max(shortestPause, this.#freed - this.#pressed))
    return Math.max(1, this.#freed + pause - this.#now())
  }

  /** Characters that may be under way while nobody types. */
  get size(): number {
    return this.#size
  }

  /** Characters given and not parsed. */
  get outstanding(): number {
    return this.#given - this.#parsed
  }

  /** The person has pressed a key: what comes until its echo is let through. */
  press(): void {
    this.#pressed = this.#now()
    this.#freed = this.#pressed
    this.#opening(() => {
      this.#free = this.#given + perKey
    })
  }

  /** A little for the next picture, if the page has parsed what it has. */
  refresh(): void {
    this.#freed = this.#now()
    if (this.outstanding >= perPicture) return
    this.#opening(() => {
      this.#free = Math.max(this.#free, this.#given + perPicture)
    })
  }

  give(length: number): void {
    const now = this.#now()
    this.#sinceBreath = now - this.#openSince > breathMs ? length : this.#sinceBreath + length
    this.#openSince = now
    this.#given += length
    this.#sent.push({ total: this.#given, at: now })
    if (this.outstanding > this.#size) this.#isFull = true
  }

  /** So many more characters have been parsed. More than was given counts as all of it. */
  acknowledge(length: number): void {
    const before = this.#parsed
    this.#parsed = Math.min(this.#given, before + length)
    let newest: Sent | undefined
    while (this.#sent[0] && this.#sent[0].total <= this.#parsed) newest = this.#sent.shift()
    if (newest && !this.#trickles) this.#adapt(this.#now() - newest.at, this.#parsed - before)
    if (this.outstanding > this.#size * 0.75) return
    this.#opening(() => {
      this.#isFull = false
    })
  }

  /** Whether a person types into a flood. */
  get #trickles(): boolean {
    return this.#typing.isUnderWay && this.#sinceBreath > floodLength
  }

  /** Does what may open the window. */
  #opening(change: () => void): void {
    const before = this.exhausted
    change()
    if (before && !this.exhausted) this.#openSince = this.#now()
  }

  #adapt(ms: number, length: number): void {
    const factor = Math.min(swing, Math.max(1 / swing, wantedMs / ms))
    // Grows only where it holds something back.
    if (factor > 1 && !this.#isFull) return
    const share = Math.min(1, length / this.#size)
    this.#size = Math.round(Math.min(largest, Math.max(smallest, this.#size * factor ** share)))
  }
}
