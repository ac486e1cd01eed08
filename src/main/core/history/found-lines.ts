import type { FileHandle } from 'node:fs/promises'
import { readStretch } from '../files/file-pieces'
import { isWhole, longLine, readFileLine, type FileLine } from './session-line'

/** A line that was passed over because of its length, in bytes. */
export interface LongLine {
  offset: number
  bytes: number
}

/**
 * Takes a file's bytes in their order and finds the lines in them. It holds on to the line that has begun, but not to
 * a long one.
 */
export class FoundLines {
  /** Those found so far; whoever takes them away empties the list. */
  readonly lines: (FileLine | LongLine)[] = []
  /** How many were found in all. */
  count = 0
  /** Behind the last line that has its end. */
  to: number
  #begin: number
  #parts: Buffer[] = []
  #length = 0
  /** The line that has begun was found already, when it had this length. */
  #early: number | null = null
  #isTakenBack = false

  /** `offset`: where the first byte stands, which begins a line. */
  constructor(offset: number) {
    this.to = offset
    this.#begin = offset
  }

  /** Up to where bytes have been taken. */
  get at(): number {
    return this.#begin + this.#length
  }

  /** A line that was found before it had its end has turned out to be none, as far as it goes now. */
  get isTakenBack(): boolean {
    return this.#isTakenBack
  }

  /** Takes the next bytes of a file up to `until`, at most `most`; false at its end. */
  async read(file: FileHandle, until: number, most: number): Promise<boolean> {
    const bytes = await readStretch(file, this.at, Math.min(until, this.at + most))
    this.take(bytes)
    return bytes.length > 0
  }

  take(bytes: Buffer): void {
    let from = 0
    for (let end = bytes.indexOf(0x0a); end >= 0; end = bytes.indexOf(0x0a, from)) {
      this.#keep(bytes.subarray(from, end))
      this.#finish()
      from = end + 1
      this.#begin = this.at + 1
      this.to = this.#begin
      this.#parts = []
      this.#length = 0
      this.#early = null
    }
    this.#keep(bytes.subarray(from))
  }

  /**
   * Nothing follows for now: the line that has begun counts when it can be read whole already. Should more of it come
   * after all, it is found once more, at the same place.
   */
  pause(): void {
    if (this.#length === 0 || this.#length > longLine || this.#early === this.#length) return
    if (!isWhole(Buffer.concat(this.#parts, this.#length), this.#begin)) {
      this.#isTakenBack = this.#early !== null
      return
    }
    this.#finish()
    this.#early = this.#length
  }

  #keep(bytes: Buffer): void {
    if (bytes.length === 0) return
    this.#length += bytes.length
    if (this.#length > longLine) this.#parts = []
    else this.#parts.push(bytes)
  }

  #finish(): void {
    const length = this.#length
    if (length === 0) return
    if (length > longLine) this.#add({ offset: this.#begin, bytes: length })
    else {
      const bytes = Buffer.concat(this.#parts, length)
      if (this.#early !== null && bytes.toString('latin1', this.#early).trim() === '') return
      const line = readFileLine(bytes, this.#begin)
      if (line) this.#add(line)
    }
  }

  #add(line: FileLine | LongLine): void {
    this.lines.push(line)
    this.count++
  }
}
