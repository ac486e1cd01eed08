import { objectOf, parseJson } from '../../../shared/json'
import type { SourceLine } from '../../../shared/conversation/transcript'

/** A line of a session file. */
export interface FileLine extends SourceLine {
  /**
   * Its bytes as in the file, without the line end, to be passed on unchanged; null if it is too long to keep in memory
   * (`SessionFile.readRaw` reads it).
   */
  raw: Buffer | null
}

/** A longer line is read separately, in a thread. In bytes. */
export const longLine = 256 * 1024
/** A longer line is not read at all. In bytes. */
export const longestLine = 128 * 1024 * 1024
/** How much is shown of a line that can't be parsed, in characters. */
const headLength = 500

const space = new Set([0x09, 0x0a, 0x0d, 0x20])
const byteOrderMark = Buffer.from([0xef, 0xbb, 0xbf])

/** Parses one line. Invalid UTF-8 is read as U+FFFD. Null for a blank line. */
export function readFileLine(bytes: Buffer, offset: number): FileLine | null {
  const raw = withoutEnd(bytes)
  if (raw.length === 0) return null
  const record = parseLine(raw, offset)
  const line = { offset, bytes: raw.length, raw }
  if (record !== undefined) return { ...line, record }
  const head = raw
    .subarray(0, headLength * 4)
    .toString('utf8')
    .slice(0, headLength)
  return { ...line, record: undefined, flaw: 'not-json', head }
}

/** The parsed line; undefined if it isn't JSON. */
export function parseLine(raw: Buffer, offset: number): unknown {
  const isMarked = offset === 0 && raw.subarray(0, 3).equals(byteOrderMark)
  return parseJson((isMarked ? raw.subarray(3) : raw).toString('utf8'))
}

/** Whether the beginning of a line can be parsed already: then only the line end can follow. */
export function isWholeLine(bytes: Buffer, offset: number): boolean {
  const raw = withoutEnd(bytes)
  return raw.at(-1) === 0x7d && parseLine(raw, offset) !== undefined
}

/** Without white space at its end, so that CRLF counts as a line end too. */
function withoutEnd(bytes: Buffer): Buffer {
  let end = bytes.length
  while (end > 0 && space.has(bytes[end - 1] ?? 0)) end--
  return bytes.subarray(0, end)
}

/** Whether a line counts as a message of a page: said by the person or the model. */
export function isMessage(record: unknown): boolean {
  const { type, isSidechain, isMeta } = objectOf(record) ?? {}
  return (type === 'user' || type === 'assistant') && isSidechain !== true && isMeta !== true
}
