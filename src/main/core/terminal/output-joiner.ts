import type { Disposable } from '../../../shared/lifetime'

/** Output that comes within this many milliseconds goes out as one piece. */
const joinMs = 4
/** A piece that has grown to this many characters does not wait. */
const pieceLength = 128 << 10

/**
 * Joins a program's output into fewer, larger pieces. The first after a pause goes out at once, and while it is urgent
 * all does that has been read in the same turn.
 */
export class OutputJoiner implements Disposable {
  readonly #deliver: (output: string) => void
  readonly #isUrgent: () => boolean
  #parts: string[] = []
  #length = 0
  #timer: ReturnType<typeof setTimeout> | null = null
  #turn: NodeJS.Immediate | null = null

  constructor(deliver: (output: string) => void, isUrgent: () => boolean = () => false) {
    this.#deliver = deliver
    this.#isUrgent = isUrgent
  }

  add(output: string): void {
    this.#parts.push(output)
    this.#length += output.length
    if (this.#timer === null || this.#length >= pieceLength) this.flush()
    else if (this.#isUrgent()) this.#turn ??= setImmediate(() => this.#endTurn())
    this.#timer ??= setTimeout(() => this.#endWindow(), joinMs)
  }

  /** Delivers what waits, now. */
  flush(): void {
    if (this.#length === 0) return
    const output = this.#parts.length === 1 ? (this.#parts[0] ?? '') : this.#parts.join('')
    this.#parts = []
    this.#length = 0
    this.#deliver(output)
  }

  dispose(): void {
    if (this.#timer) clearTimeout(this.#timer)
    if (this.#turn) clearImmediate(this.#turn)
    this.#parts = []
    this.#length = 0
  }

  #endTurn(): void {
    this.#turn = null
    this.flush()
  }

  #endWindow(): void {
    this.#timer = null
    if (this.#length === 0) return
    this.flush()
    this.#timer = setTimeout(() => this.#endWindow(), joinMs)
  }
}
