import { Text } from '@codemirror/state'
import { diffLines } from './line-diff'

/**
 * How the lines of a text end. `cr`: only if there is no LF at all. `mixed`: both LF and CRLF. A lone CR in a text that
 * has LF is an ordinary character. A text without line ends counts as `lf`.
 */
export type LineEnd = 'lf' | 'crlf' | 'cr' | 'mixed'

/** `latin-1` is ISO 8859-1: each byte is the character with its number. */
export type TextEncoding = 'utf-8' | 'utf-16le' | 'utf-16be' | 'latin-1'

/** What a file's bytes say besides the text; kept, and used again when the text is written. */
export interface TextFacts {
  encoding: TextEncoding
  bom: boolean
  eol: LineEnd
}

/** A text in our own format, with what is needed to write it back as it was. */
export interface FactualText {
  /**
   * Lines are split at LF only. With `eol` lf, crlf or cr no other line ends are left. With `mixed`, lines that end
   * with CRLF keep the CR as their last character. Make a document from it with `toText`, never with an editor's own
   * splitting, which would drop the CRs and shift every offset.
   */
  text: string
  facts: TextFacts
}

/** A text, or bytes that aren't one. `size` is in bytes. */
export type Decoded = ({ kind: 'text' } & FactualText) | { kind: 'binary'; size: number }

const byteOrderMark = '\ufeff'

/**
 * Reads bytes as a text. UTF-16 is recognized only by its byte order mark. Bytes that are invalid in their encoding, or
 * contain NUL, are binary: nothing is replaced or guessed, so `encodeText` gives back the same bytes.
 */
export function decodeText(bytes: Uint8Array): Decoded {
  const decoded = decodeAs(bytes, encodingByMark(bytes))
  const isText = decoded.kind === 'text' && !decoded.text.includes('\0')
  return isText ? decoded : { kind: 'binary', size: bytes.length }
}

/**
 * Reads bytes in a chosen encoding. Bytes that are invalid in it are binary; nothing is replaced, so `encodeText` gives
 * back the same bytes.
 */
export function decodeAs(bytes: Uint8Array, encoding: TextEncoding): Decoded {
  const raw = decodeIn(bytes, encoding)
  if (raw === undefined) return { kind: 'binary', size: bytes.length }
  const parsed = parseText(raw)
  return { kind: 'text', text: parsed.text, facts: { ...parsed.facts, encoding } }
}

/**
 * Whether bytes that `decodeText` rejects may be Latin-1: without NUL and control characters that texts don't have. A
 * guess, since any bytes are valid Latin-1.
 */
export function mayBeLatin1(bytes: Uint8Array): boolean {
  return bytes.every((byte) => byte >= 32 || (byte >= 8 && byte <= 13) || byte === 27)
}

/** Whether an encoding has every character of a text. */
export function canEncode(text: string, encoding: TextEncoding): boolean {
  return encoding !== 'latin-1' || /^[\u0000-\u00ff]*$/.test(text)
}

/** Splits a raw string, as an agent sends it for a new file, into text and facts. `restoreText` is the inverse. */
export function parseText(raw: string): FactualText {
  const bom = raw.startsWith(byteOrderMark)
  const body = bom ? raw.slice(1) : raw
  const eol = lineEndOf(body)
  const text =
    eol === 'crlf' ? body.replaceAll('\r\n', '\n') : eol === 'cr' ? body.replaceAll('\r', '\n') : body
  return { text, facts: { encoding: 'utf-8', bom, eol } }
}

/** The raw string of a text: with its own line ends and, if it had one, the byte order mark. */
export function restoreText(text: string, facts: TextFacts): string {
  const body =
    facts.eol === 'crlf'
      ? text.replaceAll('\n', '\r\n')
      : facts.eol === 'cr'
        ? text.replaceAll('\n', '\r')
        : text
  return facts.bom ? byteOrderMark + body : body
}

/**
 * The bytes to write for `text`; for Latin-1 ask `canEncode` first. Half a surrogate pair, which only UTF-16 files can
 * hold, becomes U+FFFD in UTF-8.
 */
export function encodeText(text: string, facts: TextFacts): Uint8Array {
  const raw = restoreText(text, facts)
  if (facts.encoding === 'utf-8') return new TextEncoder().encode(raw)
  if (facts.encoding === 'latin-1') return Uint8Array.from(raw, (character) => character.charCodeAt(0))
  const bytes = new Uint8Array(raw.length * 2)
  const [low, high] = facts.encoding === 'utf-16le' ? [0, 1] : [1, 0]
  for (let i = 0; i < raw.length; i++) {
    const unit = raw.charCodeAt(i)
    bytes[2 * i + low] = unit & 0xff
    bytes[2 * i + high] = unit >> 8
  }
  return bytes
}

/**
 * Adapts what an agent proposes to the file as it is, so that an agent that writes LF into a CRLF file, or the reverse,
 * doesn't change every line. Unchanged lines equal the base's lines; the base's encoding and byte order mark stay. In a
 * file with mixed line ends, a new line gets the end that most lines have, unless the agent clearly kept the file's own
 * ends: then its proposal is taken literally.
 */
export function adoptLineEnds(base: FactualText, proposedRaw: string): FactualText {
  const bom = proposedRaw.startsWith(byteOrderMark)
  const proposed = bom ? proposedRaw.slice(1) : proposedRaw
  if (base.facts.eol === 'lf' && !base.text.includes('\n')) {
    // A base of one line has no line ends to keep, so the proposal's own are used.
    const own = parseText(proposedRaw)
    return {
      text: own.text,
      facts: { ...own.facts, encoding: base.facts.encoding, bom: base.facts.bom || bom },
    }
  }
  const text = inTermsOf(base, proposed)
  return { text, facts: { ...base.facts, bom: base.facts.bom || bom } }
}

/** A document of a text in our own format: split at LF only. */
export function toText(text: string): Text {
  return Text.of(text.split('\n'))
}

/** A place in a text: line and UTF-16 unit in it, both from 0. */
export interface Position {
  line: number
  character: number
}

/** The position of an offset in UTF-16 units. An offset beyond the end counts as the end. */
export function positionAt(text: Text, offset: number): Position {
  const within = Math.max(0, Math.min(offset, text.length))
  const line = text.lineAt(within)
  return { line: line.number - 1, character: within - line.from }
}

/**
 * The offset of a position. A character beyond its line counts as the line's end, a line beyond the last as the end.
 */
export function offsetAt(text: Text, position: Position): number {
  if (position.line < 0) return 0
  if (position.line >= text.lines) return text.length
  const line = text.line(Math.floor(position.line) + 1)
  return line.from + Math.max(0, Math.min(Math.floor(position.character), line.length))
}

function decodeIn(bytes: Uint8Array, encoding: TextEncoding): string | undefined {
  switch (encoding) {
    case 'utf-8':
      try {
        return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
      } catch {
        return undefined
      }
    case 'utf-16le':
    case 'utf-16be':
      return decodeUnits(bytes, encoding)
    case 'latin-1':
      return textOf(bytes)
  }
}

function encodingByMark(bytes: Uint8Array): TextEncoding {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return 'utf-16le'
  return bytes[0] === 0xfe && bytes[1] === 0xff ? 'utf-16be' : 'utf-8'
}

/** Unit by unit, because a decoder would reject or replace half a surrogate pair, which a file may contain. */
function decodeUnits(bytes: Uint8Array, encoding: 'utf-16le' | 'utf-16be'): string | undefined {
  if (bytes.length % 2 !== 0) return undefined
  const [low, high] = encoding === 'utf-16le' ? [0, 1] : [1, 0]
  const units = new Uint16Array(bytes.length / 2)
  for (let i = 0; i < units.length; i++) {
    units[i] = (bytes[2 * i + low] ?? 0) | ((bytes[2 * i + high] ?? 0) << 8)
  }
  return textOf(units)
}

function textOf(units: Uint8Array | Uint16Array): string {
  const parts: string[] = []
  for (let from = 0; from < units.length; from += 8192) {
    parts.push(String.fromCharCode(...units.subarray(from, from + 8192)))
  }
  return parts.join('')
}

function lineEndOf(body: string): LineEnd {
  let plain = false
  let paired = false
  for (let at = body.indexOf('\n'); at !== -1 && !(plain && paired); at = body.indexOf('\n', at + 1)) {
    if (at > 0 && body.charCodeAt(at - 1) === 13) paired = true
    else plain = true
  }
  if (plain && paired) return 'mixed'
  if (paired) return 'crlf'
  return !plain && body.includes('\r') ? 'cr' : 'lf'
}

function inTermsOf(base: FactualText, proposed: string): string {
  switch (base.facts.eol) {
    case 'cr':
      return proposed.replaceAll('\r\n', '\n').replaceAll('\r', '\n')
    case 'lf':
    case 'crlf':
      return (lineEndOf(proposed) === 'cr' ? proposed.replaceAll('\r', '\n') : proposed).replaceAll(
        '\r\n',
        '\n',
      )
    case 'mixed':
      return inMixedTerms(base.text, proposed)
  }
}

function inMixedTerms(base: string, proposed: string): string {
  const baseLines = splitEnds(base)
  const lines = splitEnds(lineEndOf(proposed) === 'cr' ? proposed.replaceAll('\r', '\n') : proposed)
  const paired = baseLines.ends.reduce((sum, end) => sum + (end === '\r' ? 1 : 0), 0)
  const dominant: string = paired * 2 > baseLines.ends.length - 1 ? '\r' : ''
  const ends = lines.contents.map(() => dominant)
  let kept = lineEndOf(proposed) === 'mixed'
  let a = 0
  let b = 0
  const last = { fromA: baseLines.contents.length, toA: 0, fromB: lines.contents.length, toB: 0 }
  for (const change of [...diffLines(baseLines.contents, lines.contents), last]) {
    for (; a < change.fromA && b < change.fromB; a++, b++) {
      // The last line has no end; a line that is no longer the last gets the dominant one.
      if (a === baseLines.contents.length - 1 || b === lines.contents.length - 1) continue
      ends[b] = baseLines.ends[a] ?? dominant
      if (ends[b] !== lines.ends[b]) kept = false
    }
    a = change.toA
    b = change.toB
  }
  if (kept) return proposed
  return lines.contents.map((line, i) => (i < ends.length - 1 ? line + ends[i] : line)).join('\n')
}

/** Lines without their ends, and what was between each line and its LF: a CR or nothing. */
function splitEnds(text: string): { contents: string[]; ends: string[] } {
  const lines = text.split('\n')
  const ends = lines.map((line, i) => (i < lines.length - 1 && line.endsWith('\r') ? '\r' : ''))
  return { contents: lines.map((line, i) => (ends[i] === '\r' ? line.slice(0, -1) : line)), ends }
}
