import type { Terminal } from '@xterm/xterm'
import type { Disposable } from '../../../shared/lifetime'

/** Characters given to the terminal at once: a few milliseconds of work, after which the page can do other things. */
const portion = 64 << 10

interface Piece {
  data: string
  done: (() => void) | null
}

/** What a feed needs of its owner. */
interface FeedSurroundings {
  /** Whether the page is hidden: the browser then gives it only one turn per second. */
  isHidden(): boolean
  /** Called when everything added has been parsed. */
  drained(): void
}

/**
 * Gives a terminal its output in order, in portions. xterm's own queue works with timers, which browsers slow down to
 * one per four milliseconds when they set each other; here a message begins each portion.
 */
export class OutputFeed implements Disposable {
  readonly #terminal: Pick<Terminal, 'write'>
  readonly #surroundings: FeedSurroundings
  readonly #turns = new MessageChannel()
  #waiting: Piece[] = []
  #isBusy = false

  constructor(terminal: Pick<Terminal, 'write'>, surroundings: FeedSurroundings) {
    this.#terminal = terminal
    this.#surroundings = surroundings
    this.#turns.port1.onmessage = () => this.#next()
  }

  /** Adds output; `done` is called when all of it has been parsed. */
  add(data: string, done: (() => void) | null = null): void {
    this.#waiting.push({ data, done })
    if (!this.#isBusy) this.#next()
  }

  /** Drops what the terminal has not been given yet. */
  clear(): void {
    this.#waiting = []
  }

  dispose(): void {
    this.clear()
    this.#turns.port1.close()
  }

  #next(): void {
    const pieces = this.#takePortion()
    this.#isBusy = pieces.length > 0
    if (!this.#isBusy) return
    this.#terminal.write(pieces.map(({ data }) => data).join(''), () => {
      for (const { done } of pieces) done?.()
      if (this.#waiting.length > 0) return this.#turns.port2.postMessage(null)
      this.#isBusy = false
      this.#surroundings.drained()
    })
  }

  /** Takes the next pieces, or the beginning of a piece longer than a portion. */
  #takePortion(): Piece[] {
    const most = this.#surroundings.isHidden() ? Number.POSITIVE_INFINITY : portion
    let length = 0
    let count = 0
    for (const { data } of this.#waiting) {
      if (length + data.length > most) break
      length += data.length
      count++
    }
    if (count > 0) return this.#waiting.splice(0, count)
    const [first] = this.#waiting
    if (!first) return []
    const { data } = first
    first.data = data.slice(most)
    return [{ data: data.slice(0, most), done: null }]
  }
}
