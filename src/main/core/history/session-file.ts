import type { FileHandle } from 'node:fs/promises'
import { succeed, type Result } from '../../../shared/result'
import { failureOf, type FileFailure } from '../files/file-failure'
import { readStretch } from '../files/file-pieces'
import { withFile } from '../files/regular-file'
import type { LongLines } from './long-lines'
import { FoundLines, type LongLine } from './search/found-lines'
import { isMessage, isWholeLine, longLine, readFileLine, type FileLine } from './session-line'

/** A part of a session file, from the beginning of one line to the end of another. Offsets in bytes. */
export interface SessionPage {
  /** In file order. */
  lines: FileLine[]
  from: number
  /** The end of the last complete line; the next line begins here. */
  to: number
  /** The file's size. */
  size: number
  /** Identifies the file; another one in its place has another value. */
  file: string
}

/** How much is read at a time, in bytes. */
const chunk = 256 * 1024
/** The limit for a page, unless its only line is longer. In bytes. */
const mostBytes = 8 * 1024 * 1024

/**
 * Reads a session file in pages, from its end or in either direction, without reading the rest. It holds one page in
 * memory. A last line without its end is included if it can be parsed, but the page ends before it.
 */
export class SessionFile {
  readonly path: string
  readonly #longLines: Pick<LongLines, 'read'>

  constructor(path: string, longLines: Pick<LongLines, 'read'>) {
    this.path = path
    this.#longLines = longLines
  }

  /** The last page: this many messages, and everything between them. */
  readLast(messages: number): Promise<Result<SessionPage, FileFailure>> {
    return this.#read((file, size) => this.#backwards(file, size, messages))
  }

  /** The page before an offset, where a line must begin. */
  readBefore(offset: number, messages: number): Promise<Result<SessionPage, FileFailure>> {
    return this.#read((file, size) => this.#backwards(file, Math.min(offset, size), messages))
  }

  /** The lines from an offset on, where a line must begin: about this many bytes, at least one line. */
  readFrom(offset: number, bytes = chunk): Promise<Result<SessionPage, FileFailure>> {
    return this.#read(async (file, size) => {
      const found = new FoundLines(offset)
      while (found.count === 0 || found.at < offset + bytes) {
        if (!(await found.read(file, size, chunk))) break
      }
      if (found.at >= size) found.pause()
      return { lines: await this.readLong(found.lines), from: offset, to: found.to }
    })
  }

  /** The raw bytes of a line that is not kept in memory. */
  async readRaw(offset: number, bytes: number): Promise<Result<Buffer, FileFailure>> {
    const read = await this.#read(async (file) => ({ raw: await readStretch(file, offset, offset + bytes) }))
    return read.ok ? succeed(read.value.raw) : read
  }

  async #read<T>(
    work: (file: FileHandle, size: number) => Promise<T>,
  ): Promise<Result<T & { size: number; file: string }, FileFailure>> {
    try {
      return await withFile(this.path, async (file) => {
        const found = await file.stat({ bigint: true })
        const size = Number(found.size)
        return succeed({ ...(await work(file, size)), size, file: `${found.dev} ${found.ino}` })
      })
    } catch (error) {
      return failureOf(error, 'read', this.path)
    }
  }

  async #backwards(file: FileHandle, end: number, messages: number) {
    const lines: (FileLine | LongLine)[] = []
    let count = 0
    let from = end
    let to = end
    /** The parts of the line whose beginning has not been found, the last part first. */
    let parts: Buffer[] = []
    let length = 0
    let isLast = true
    const take = (start: number): boolean => {
      const isOpen = isLast
      isLast = false
      from = start
      if (length === 0) return false
      const bytes = length > longLine ? null : Buffer.concat(parts.reverse(), length)
      // The text after the last line end is a line only if it can be parsed.
      if (isOpen) to = start
      if (isOpen && (bytes === null || !isWholeLine(bytes, start))) return false
      const line = bytes === null ? { offset: start, bytes: length } : readFileLine(bytes, start)
      if (line === null) return false
      lines.push(line)
      if (!('record' in line) || isMessage(line.record)) count++
      return count >= messages || end - start >= mostBytes
    }
    for (let at = end; at > 0;) {
      const start = Math.max(0, at - chunk)
      const read = await readStretch(file, start, at)
      // The file was cut off in the meantime.
      if (read.length < at - start) break
      let until = read.length
      for (let newline = lastNewline(read, until); newline >= 0; newline = lastNewline(read, until)) {
        parts.push(read.subarray(newline + 1, until))
        length += until - newline - 1
        if (take(start + newline + 1)) return { lines: await this.readLong(lines.reverse()), from, to }
        parts = []
        length = 0
        until = newline
      }
      length += until
      if (length > longLine) parts = []
      else parts.push(read.subarray(0, until))
      at = start
      if (start === 0) take(0)
    }
    return { lines: await this.readLong(lines.reverse()), from, to }
  }

  /** The lines, with the long ones among them read too, one after another. */
  async readLong(lines: readonly (FileLine | LongLine)[]): Promise<FileLine[]> {
    const read: FileLine[] = []
    for (const line of lines) {
      read.push('record' in line ? line : await this.#longLines.read(this.path, line.offset, line.bytes))
    }
    return read
  }
}

function lastNewline(bytes: Buffer, before: number): number {
  return before === 0 ? -1 : bytes.lastIndexOf(0x0a, before - 1)
}
