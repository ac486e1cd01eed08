import { objectOf, parseJson } from '../../../shared/json'
import type { SourceLine } from '../../../shared/conversation/transcript'

/** A line of a session file. */
export interface FileLine extends SourceLine {
  /**
   * Its bytes as they stand in the file, without the line end, to be handed on untouched; null for one that is too
   * long to be kept in memory (`SessionFile.readRaw` reads it).
   */
  raw: Buffer | null
}

/** A longer line is not read with the others but by itself, in a thread. In bytes. */
export const longLine = 256 * 1024
/** A longer one is not read at all, in bytes. */
export const longestLine = 128 * 1024 * 1024
/** So much of a line that cannot be read is shown, in characters. */
const headLength = 500

const space = new Set([0x09, 0x0a, 0x0d, 0x20])
const byteOrderMark = Buffer.from([0xef, 0xbb, 0xbf])

/**
 * Reads one line from its bytes. Bytes that are no UTF-8 are read as U+FFFD. Null for a line with nothing in it.
 */
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

/** What a line says; undefined where it is no JSON. */
export function parseLine(raw: Buffer, offset: number): unknown {
  const isMarked = offset === 0 && raw.subarray(0, 3).equals(byteOrderMark)
  return parseJson((isMarked ? raw.subarray(3) : raw).toString('utf8'))
}

/** Whether the beginning of a line can already be read whole: then nothing can follow it but its end. */
export function isWhole(bytes: Buffer, offset: number): boolean {
  const raw = withoutEnd(bytes)
  return raw.at(-1) === 0x7d && parseLine(raw, offset) !== undefined
}

/** Without white space at its end, so that CRLF counts as a line end too. */
function withoutEnd(bytes: Buffer): Buffer {
  let end = bytes.length
  while (end > 0 && space.has(bytes[end - 1] ?? 0)) end--
  return bytes.subarray(0, end)
}

/** Whether a line is one of those that a page is counted by: what the person and the model said. */
export function isMessage(record: unknown): boolean {
  const { type, isSidechain, isMeta } = objectOf(record) ?? {}
  return (type === 'user' || type === 'assistant') && isSidechain !== true && isMeta !== true
}
