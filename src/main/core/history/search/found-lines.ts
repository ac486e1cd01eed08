import type { FileHandle } from 'node:fs/promises'
import { readStretch } from '../../files/file-pieces'
import { isWholeLine, longLine, readFileLine, type FileLine } from '../session-line'

/** A line that was skipped because of its length, in bytes. */
export interface LongLine {
  offset: number
  bytes: number
}

/** Takes a file's bytes in order and finds the lines in them. It keeps the line that has begun, but not a long one. */
export class FoundLines {
  /** Those found so far; taking them empties the list. */
  readonly lines: (FileLine | LongLine)[] = []
  /** How many were found in all. */
  count = 0
  /** The end of the last complete line. */
  to: number
  #begin: number
  #parts: Buffer[] = []
  #length = 0
  /** If the line that has begun was found before its end: its length then. */
  #early: number | null = null
  #isTakenBack = false

  /** `offset`: where the first byte is, which begins a line. */
  constructor(offset: number) {
    this.to = offset
    this.#begin = offset
  }

  /** Up to where bytes have been taken. */
  get at(): number {
    return this.#begin + this.#length
  }

  /** Whether a line that was found before its end is no longer valid, as far as it goes now. */
  get isTakenBack(): boolean {
    return this.#isTakenBack
  }

  /** Reads a file's next bytes up to `until`, at most `most`; false at its end. */
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
   * Nothing follows for now: the line that has begun counts if it can be parsed already. If more of it comes after all,
   * it is found again, at the same place.
   */
  pause(): void {
    if (this.#length === 0 || this.#length > longLine || this.#early === this.#length) return
    if (!isWholeLine(Buffer.concat(this.#parts, this.#length), this.#begin)) {
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
