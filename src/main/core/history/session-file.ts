import type { FileHandle } from 'node:fs/promises'
import { succeed, type Result } from '../../../shared/result'
import { failureOf, type FileFailure } from '../files/file-failure'
import { readStretch } from '../files/file-pieces'
import { withFile } from '../files/regular-file'
import type { LongLines } from './long-lines'
import { FoundLines, type LongLine } from './found-lines'
import { isMessage, isWhole, longLine, readFileLine, type FileLine } from './session-line'

/** A stretch of a session file, from the begin of a line to the end of another. Offsets in bytes. */
export interface SessionPage {
  /** In the order of the file. */
  lines: FileLine[]
  from: number
  /** Behind the last line that has its end; what is read from here on begins a line. */
  to: number
  /** How long the file was. */
  size: number
  /** Which file it was: the same as long as nothing took its place. */
  file: string
}

/** How much is read at once, in bytes. */
const chunk = 256 * 1024
/** A page has no more than this, unless its only line has. In bytes. */
const mostBytes = 8 * 1024 * 1024

/**
 * Reads a session file in pages, from its end or towards either side, without reading the rest. What it holds in memory
 * is one page. A last line without its end is given when it can be read whole, but the page ends before it.
 */
export class SessionFile {
  readonly path: string
  readonly #longLines: Pick<LongLines, 'read'>

  constructor(path: string, longLines: Pick<LongLines, 'read'>) {
    this.path = path
    this.#longLines = longLines
  }

  /** The last page: so many messages, and all between them. */
  readLast(messages: number): Promise<Result<SessionPage, FileFailure>> {
    return this.#read((file, size) => this.#backwards(file, size, messages))
  }

  /** The page before an offset, where a line must begin. */
  readBefore(offset: number, messages: number): Promise<Result<SessionPage, FileFailure>> {
    return this.#read((file, size) => this.#backwards(file, Math.min(offset, size), messages))
  }

  /** The lines from an offset on, where a line must begin: about so many bytes, one line at least. */
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

  /** The bytes of a line that is not kept in memory, as they stand in the file. */
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
    /** What has been read of the line whose begin has not been found, the last part first. */
    let parts: Buffer[] = []
    let length = 0
    let isLast = true
    const take = (start: number): boolean => {
      const isOpen = isLast
      isLast = false
      from = start
      if (length === 0) return false
      const bytes = length > longLine ? null : Buffer.concat(parts.reverse(), length)
      // What follows the last line end is a line only when it is whole.
      if (isOpen) to = start
      if (isOpen && (bytes === null || !isWhole(bytes, start))) return false
      const line = bytes === null ? { offset: start, bytes: length } : readFileLine(bytes, start)
      if (line === null) return false
      lines.push(line)
      if (!('record' in line) || isMessage(line.record)) count++
      return count >= messages || end - start >= mostBytes
    }
    for (let at = end; at > 0;) {
      const start = Math.max(0, at - chunk)
      const read = await readStretch(file, start, at)
      // Cut off meanwhile.
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

  /** Lines with the long ones among them read too, one after another. */
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
