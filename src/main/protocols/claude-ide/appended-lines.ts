import type { FileHandle } from 'node:fs/promises'
import { openToRead } from '../../core/files/regular-file'

/** How much is read at once, in bytes. */
const piece = 64 * 1024
/** A longer line is passed over: it holds a whole file or a picture. In bytes. */
const longestLine = 256 * 1024
/** How much of a file's end is looked at when it is seen for the first time, in bytes. */
const firstStretch = 512 * 1024

/**
 * The lines that are appended to a file, each given once and whole; of what stood there before, those at its end.
 * The file may come later. One that has become shorter is looked at like a new one.
 */
export class AppendedLines {
  readonly #path: string
  /** Up to where it has been read; undefined before the first look. */
  #offset: number | undefined
  /** The beginning of a line whose end has not been written yet. */
  #begun: Buffer[] = []
  #begunBytes = 0
  /** The line that is being read is passed over: too long, or its beginning was not read. */
  #skipping = false

  constructor(path: string) {
    this.#path = path
  }

  /**
   * Gives the lines that have come since the last call. Calls must not overlap. Nothing is given where the file
   * cannot be read.
   */
  async read(hear: (line: string) => void): Promise<void> {
    const file = await openToRead(this.#path).catch(() => undefined)
    if (!file) {
      // There was nothing yet: whatever comes is new.
      this.#offset ??= 0
      return
    }
    try {
      await this.#readFrom(file, hear)
    } catch {
      // Replaced or taken away in the middle; what is there then is read at the next call.
    } finally {
      await file.close()
    }
  }

  async #readFrom(file: FileHandle, hear: (line: string) => void): Promise<void> {
    const { size } = await file.stat()
    if (this.#offset === undefined || size < this.#offset) this.#begin(Math.max(0, size - firstStretch))
    let offset = this.#offset ?? 0
    const buffer = Buffer.alloc(piece)
    for (;;) {
      const { bytesRead } = await file.read(buffer, 0, piece, offset)
      if (bytesRead === 0) return
      offset += bytesRead
      this.#offset = offset
      this.#take(buffer.subarray(0, bytesRead), hear)
    }
  }

  #begin(offset: number): void {
    this.#offset = offset
    this.#forget()
    this.#skipping = offset > 0
  }

  #take(bytes: Buffer, hear: (line: string) => void): void {
    let from = 0
    for (let end = bytes.indexOf(0x0a); end !== -1; end = bytes.indexOf(0x0a, from)) {
      this.#keep(bytes.subarray(from, end))
      if (!this.#skipping) hear(Buffer.concat(this.#begun).toString('utf8'))
      this.#forget()
      from = end + 1
    }
    // A copy, for the buffer is filled anew.
    this.#keep(Buffer.from(bytes.subarray(from)))
  }

  #keep(bytes: Buffer): void {
    this.#begunBytes += bytes.length
    if (this.#begunBytes > longestLine) this.#skipping = true
    if (this.#skipping) this.#begun = []
    else this.#begun.push(bytes)
  }

  #forget(): void {
    this.#begun = []
    this.#begunBytes = 0
    this.#skipping = false
  }
}
