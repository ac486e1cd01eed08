import { closeSync, readSync } from 'node:fs'
import { excerptOf, type Excerpt, type SessionQuery } from '../../../shared/conversation/session-query'
import { openToReadSync } from '../files/regular-file'
import { readHeader, textStart, type TextPlace } from './text-records'

/** A text in which all words stand. */
export interface TextHit extends TextPlace, Excerpt {}

/** What was found in one session. */
export interface SessionHits {
  /** The newest first. */
  hits: TextHit[]
  /** There are more, older ones. */
  isCut: boolean
}

/** So much is read at once, in bytes. A text is never longer. */
const chunk = 1024 * 1024
/** So many of a session are told, the newest ones. */
export const mostHitsOfSession = 50

/**
 * Looks through a session's texts, of which the first `bytes` count. Yields between pieces of work, so that the caller
 * may rest or end. A file that is gone holds nothing.
 */
export function* searchTexts(path: string, bytes: number, query: SessionQuery): Generator<void, SessionHits> {
  const found: string[] = []
  let isCut = false
  for (const piece of piecesOf(path, bytes, query)) {
    for (const line of linesWith(piece, query)) {
      found.push(line)
      if (found.length <= mostHitsOfSession) continue
      found.shift()
      isCut = true
    }
    yield
  }
  return { hits: found.reverse().flatMap((line) => hitIn(line, query) ?? []), isCut }
}

/** A piece of the file: whole lines, as text, or as the characters that their bytes are. */
interface TextPiece {
  text: string
  isBytes: boolean
}

function* piecesOf(path: string, bytes: number, { words }: SessionQuery): Generator<TextPiece> {
  const isBytes = words.every(({ inBytes }) => inBytes !== null)
  const file = openQuietly(path)
  if (file === null) return
  try {
    const buffer = Buffer.allocUnsafe(Math.min(chunk, bytes))
    for (let at = 0; at < bytes;) {
      const length = readSync(file, buffer, 0, Math.min(buffer.length, bytes - at), at)
      const end = buffer.subarray(0, length).lastIndexOf(0x0a) + 1
      if (end === 0) return
      at += end
      yield { text: buffer.toString(isBytes ? 'latin1' : 'utf8', 0, end), isBytes }
    }
  } finally {
    closeSync(file)
  }
}

function openQuietly(path: string): number | null {
  try {
    return openToReadSync(path)
  } catch {
    return null
  }
}

/** The lines of a piece in whose texts all words stand. */
function* linesWith({ text, isBytes }: TextPiece, { words }: SessionQuery): Generator<string> {
  const patterns = words.flatMap(({ inText, inBytes }) => (isBytes ? inBytes : inText) ?? [])
  const [first, ...others] = patterns
  if (!first) return
  first.lastIndex = 0
  for (let match = first.exec(text); match; match = first.exec(text)) {
    const begin = text.lastIndexOf('\n', match.index) + 1
    const end = text.indexOf('\n', match.index)
    const start = textStart(text, begin)
    if (match.index < start) {
      first.lastIndex = start
      continue
    }
    first.lastIndex = end + 1
    const line = text.slice(begin, end)
    if (others.every((pattern) => standsBehind(line, start - begin, pattern))) {
      yield isBytes ? Buffer.from(line, 'latin1').toString('utf8') : line
    }
  }
}

function standsBehind(line: string, start: number, pattern: RegExp): boolean {
  pattern.lastIndex = start
  return pattern.test(line)
}

function hitIn(line: string, query: SessionQuery): TextHit | null {
  const start = textStart(line)
  const excerpt = excerptOf(line.slice(start), query)
  return excerpt && { ...readHeader(line.slice(0, start)), ...excerpt }
}
