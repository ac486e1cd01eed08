import { writeSync } from 'node:fs'
import { type Disposable } from '../../../shared/lifetime'

/** Bytes per write: what a line discipline takes in one go. */
const pieceLength = 4096
/** How long to wait before trying a full pty again; short, because a program that doesn't read costs little. */
const retryMs = 5

/**
 * Writes what a person types or pastes into a pty, in order and without ever blocking: node-pty's own stream spins
 * until the program reads, so that a large paste into a program that doesn't read would hang the host.
 */
export class PtyWriter implements Disposable {
  readonly #write: (bytes: Uint8Array) => number
  #queue: Uint8Array[] = []
  #timer: ReturnType<typeof setTimeout> | null = null
  #disposed = false

  /** `write` takes what it can without waiting and returns the number of bytes; 0 if the pty is full. */
  constructor(write: (bytes: Uint8Array) => number) {
    this.#write = write
  }

  /** Queues a text. After disposal it is dropped. */
  write(text: string): void {
    if (this.#disposed || text === '') return
    this.#queue.push(Buffer.from(text, 'utf8'))
    if (this.#timer === null) this.#pump()
  }

  dispose(): void {
    this.#disposed = true
    this.#queue = []
    if (this.#timer) clearTimeout(this.#timer)
  }

  #pump(): void {
    this.#timer = null
    // A program that echoes must be read in between, so one turn writes a limited amount.
    for (let budget = 16; budget > 0; budget--) {
      const first = this.#queue[0]
      if (!first) return
      const taken = this.#write(first.subarray(0, pieceLength))
      if (this.#disposed) return
      if (taken === 0) break
      if (taken === first.length) this.#queue.shift()
      else this.#queue[0] = first.subarray(taken)
    }
    if (this.#queue.length > 0) this.#timer = setTimeout(() => this.#pump(), retryMs)
  }
}

/** Writes to a non-blocking descriptor, and returns how many bytes it took. */
export function writeNow(descriptor: number, bytes: Uint8Array): number {
  try {
    return writeSync(descriptor, bytes)
  } catch {
    // EAGAIN: the program has not read yet. Anything else: the program is ending, which is told elsewhere.
    return 0
  }
}
