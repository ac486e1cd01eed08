import type { Terminal } from '@xterm/xterm'
import type { Disposable } from '../../../shared/lifetime'

/** Characters that a terminal is given at once: a few milliseconds of work, after which the page may do other things. */
const portion = 32 << 10

interface Piece {
  data: string
  done: (() => void) | null
}

/**
 * Gives a terminal its output in order, in portions. xterm's own queue rests for four milliseconds after every twelve
 * of work, for a browser slows timers down that set each other; here each portion begins by a message.
 */
export class OutputFeed implements Disposable {
  readonly #terminal: Pick<Terminal, 'write'>
  readonly #isHidden: () => boolean
  readonly #turns = new MessageChannel()
  #waiting: Piece[] = []
  #isBusy = false

  /** `isHidden` tells whether nobody sees the page: a browser gives it only one turn in a second then. */
  constructor(terminal: Pick<Terminal, 'write'>, isHidden = () => document.hidden) {
    this.#terminal = terminal
    this.#isHidden = isHidden
    this.#turns.port1.onmessage = () => this.#next()
  }

  /** Gives output; `done` is called when all of it has been parsed. */
  add(data: string, done: (() => void) | null = null): void {
    this.#waiting.push({ data, done })
    if (!this.#isBusy) this.#next()
  }

  /** Forgets what the terminal has not been given yet. */
  clear(): void {
    this.#waiting = []
  }

  dispose(): void {
    this.clear()
    this.#turns.port1.close()
  }

  #next(): void {
    const first = this.#waiting[0]
    this.#isBusy = first !== undefined
    if (!first) return
    const most = this.#isHidden() ? Number.POSITIVE_INFINITY : portion
    let length = first.data.length
    let count = 1
    for (; count < this.#waiting.length; count++) {
      length += this.#waiting[count]?.data.length ?? 0
      if (length > most) break
    }
    const pieces = this.#waiting.splice(0, count)
    this.#terminal.write(pieces.map(({ data }) => data).join(''), () => {
      for (const { done } of pieces) done?.()
      if (this.#waiting.length === 0) this.#isBusy = false
      else this.#turns.port2.postMessage(null)
    })
  }
}
