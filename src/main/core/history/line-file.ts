import { closeSync, fstatSync } from 'node:fs'
import { readLine, type ReadLine } from '../../../shared/conversation/session-item'
import { readStretchSync } from '../files/file-pieces'
import { openToReadSync } from '../files/regular-file'
import { longestLine, parseLine } from './session-line'

/** A line is read in steps, the first of this many bytes. */
const firstStep = 4 * 1024
/** How many bytes are searched at a time. */
const chunk = 1024 * 1024
const lineEnd = 0x0a

/** Reads single lines of a session's file, at any place. Reads synchronously, so it belongs in a thread. */
export class LineFile {
  readonly #file: number
  readonly #size: number

  private constructor(file: number) {
    this.#file = file
    this.#size = fstatSync(file).size
  }

  /** Null if the file is gone or unreadable. */
  static open(path: string): LineFile | null {
    try {
      return new LineFile(openToReadSync(path))
    } catch {
      return null
    }
  }

  /** The line that begins at an offset; undefined if it can't be read. */
  lineAt(offset: number): ReadLine | undefined {
    let bytes = this.#bytes(offset, offset + firstStep)
    let end = bytes.indexOf(lineEnd)
    while (end < 0 && offset + bytes.length < this.#size && bytes.length <= longestLine) {
      const more = this.#bytes(offset + bytes.length, offset + 4 * bytes.length)
      const found = more.indexOf(lineEnd)
      if (found >= 0) end = bytes.length + found
      bytes = Buffer.concat([bytes, more])
    }
    const raw = end < 0 ? bytes : bytes.subarray(0, end)
    if (raw.length > longestLine) return undefined
    const record = parseLine(raw, offset)
    return record === undefined ? undefined : readLine({ offset, bytes: raw.length, record })
  }

  /** The lines whose bytes contain a text, from the last before an offset back to the first. */
  *linesWith(text: string, before = this.#size): Generator<ReadLine> {
    const sought = Buffer.from(text)
    let end = Math.min(before, this.#size)
    while (end >= sought.length) {
      const start = Math.max(0, end - chunk)
      const bytes = this.#bytes(start, end)
      const at = bytes.lastIndexOf(sought)
      if (at < 0) {
        if (start === 0) return
        // The text may lie across two chunks.
        end = start + sought.length - 1
        continue
      }
      const offset = this.#lineStart(start + at)
      const line = this.lineAt(offset)
      if (line) yield line
      end = offset
    }
  }

  close(): void {
    closeSync(this.#file)
  }

  #lineStart(at: number): number {
    for (let end = at; end > 0; end -= firstStep) {
      const start = Math.max(0, end - firstStep)
      const found = this.#bytes(start, end).lastIndexOf(lineEnd)
      if (found >= 0) return start + found + 1
    }
    return 0
  }

  /** Fewer than asked for at the end of the file. */
  #bytes(from: number, to: number): Buffer {
    return readStretchSync(this.#file, from, Math.min(to, this.#size))
  }
}
