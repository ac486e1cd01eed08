import type { Disposable } from '../../../shared/lifetime'
import { readStretch } from './file-pieces'
import { withFile } from './regular-file'

/** So many bytes are counted at once; a turn of the host takes about a millisecond. */
const blockBytes = 1024 * 1024

/**
 * Counts the line ends of a long file from its beginning, a block at a time, and knows then where lines begin. It
 * keeps one number for each block. A file that has grown is counted on; one that has shrunk is counted anew.
 */
export class LineCount implements Disposable {
  readonly #path: string
  /** How many line ends stand before each block's end. */
  #counts: number[] = []
  #size = 0
  #done = false
  #isRunning = false
  #waiting: (() => void)[] = []
  #disposed = false

  constructor(path: string) {
    this.#path = path
  }

  /** The number of the line in which a byte stands, from 0; null when the file cannot be read any more. */
  async lineAt(at: number): Promise<number | null> {
    const block = Math.floor(at / blockBytes)
    if (!(await this.#until(() => this.#counts.length >= block))) return null
    return withFile(this.#path, async (file) => {
      const bytes = await readStretch(file, block * blockBytes, at)
      return (this.#counts[block - 1] ?? 0) + countNewlines(bytes)
    }).catch(() => null)
  }

  /** Where a line begins; the begin of the last one where there are fewer. Null when the file cannot be read. */
  async offsetOf(line: number): Promise<number | null> {
    if (line === 0) return 0
    await this.#until(() => (this.#counts.at(-1) ?? 0) >= line)
    if (this.#disposed) return null
    const last = this.#counts.at(-1) ?? 0
    const wanted = Math.min(line, last)
    if (wanted === 0) return 0
    const block = this.#counts.findIndex((count) => count >= wanted)
    return withFile(this.#path, async (file) => {
      const bytes = await readStretch(file, block * blockBytes, (block + 1) * blockBytes)
      let left = wanted - (this.#counts[block - 1] ?? 0)
      let at = -1
      while (left-- > 0) {
        at = bytes.indexOf(10, at + 1)
        if (at < 0) return null
      }
      return block * blockBytes + at + 1
    }).catch(() => null)
  }

  dispose(): void {
    this.#disposed = true
    this.#wake()
  }

  /** Waits until so much has been counted; false when the end has come before. */
  async #until(isKnown: () => boolean): Promise<boolean> {
    // What was the end may not be it any more.
    if (this.#done && !isKnown()) this.#done = false
    while (!isKnown() && !this.#done && !this.#disposed) {
      if (!this.#isRunning) {
        this.#isRunning = true
        void this.#run().finally(() => {
          this.#isRunning = false
          this.#done = true
          this.#wake()
        })
      }
      await new Promise<void>((resolve) => this.#waiting.push(resolve))
    }
    return isKnown()
  }

  async #run(): Promise<void> {
    await withFile(this.#path, async (file) => {
      const { size } = await file.stat()
      if (size < this.#size) this.#counts = []
      // The last block was cut by the end of the file.
      else if (this.#size % blockBytes !== 0) this.#counts.pop()
      this.#size = size
      for (let from = this.#counts.length * blockBytes; from < size; from += blockBytes) {
        if (this.#disposed) return
        const bytes = await readStretch(file, from, Math.min(size, from + blockBytes))
        this.#counts.push((this.#counts.at(-1) ?? 0) + countNewlines(bytes))
        this.#wake()
      }
    }).catch(() => undefined)
  }

  #wake(): void {
    for (const resolve of this.#waiting.splice(0)) resolve()
  }
}

function countNewlines(bytes: Buffer): number {
  let count = 0
  // A look at each byte from here takes seven times as long, with lines of a hundred bytes.
  for (let at = bytes.indexOf(10); at >= 0; at = bytes.indexOf(10, at + 1)) count++
  return count
}
