import type { Disposable } from '../../../shared/lifetime'

/** Output within this many milliseconds is sent as one piece. */
const joinMs = 4
/** A piece that has grown to this many characters is sent without waiting. */
const pieceLength = 128 << 10

/** Joins a program's output into fewer, larger pieces. The first after a pause is sent immediately. */
export class OutputJoiner implements Disposable {
  readonly #deliver: (output: string) => void
  #parts: string[] = []
  #length = 0
  #timer: ReturnType<typeof setTimeout> | null = null

  constructor(deliver: (output: string) => void) {
    this.#deliver = deliver
  }

  add(output: string): void {
    this.#parts.push(output)
    this.#length += output.length
    if (this.#timer === null || this.#length >= pieceLength) this.flush()
    this.#timer ??= setTimeout(() => this.#endWindow(), joinMs)
  }

  /** Delivers what is waiting. */
  flush(): void {
    if (this.#length === 0) return
    const output = this.#parts.length === 1 ? (this.#parts[0] ?? '') : this.#parts.join('')
    this.#parts = []
    this.#length = 0
    this.#deliver(output)
  }

  dispose(): void {
    if (this.#timer) clearTimeout(this.#timer)
    this.#parts = []
    this.#length = 0
  }

  #endWindow(): void {
    this.#timer = null
    if (this.#length === 0) return
    this.flush()
    this.#timer = setTimeout(() => this.#endWindow(), joinMs)
  }
}
