/**
 * How Claude Code reads a file for its tools Edit and NotebookEdit, and how it writes it back. Measured; see
 * docs/protocols/claude-sdk.md. Texts are raw: with the file's own line ends and byte order mark.
 */
export interface ReadText {
  /** Without the mark, and each CRLF as LF. */
  text: string
  hasMark: boolean
  /** Whether it writes every line end as CRLF. */
  isCrlf: boolean
}

export const byteOrderMark = '\ufeff'

/** As far as it looks to tell a file's line ends, in UTF-16 units. */
const seenOfLineEnds = 4096

export function readAsClaude(raw: string): ReadText {
  const hasMark = raw.startsWith(byteOrderMark)
  const body = hasMark ? raw.slice(1) : raw
  return { text: withLf(body), hasMark, isCrlf: endsMostlyInCrlf(raw) }
}

/** What is on disk after it wrote a text back. */
export function writtenByClaude(text: string, { hasMark, isCrlf }: ReadText): string {
  return (hasMark ? byteOrderMark : '') + (isCrlf ? withLf(text).replaceAll('\n', '\r\n') : text)
}

export function withLf(text: string): string {
  return text.replaceAll('\r\n', '\n')
}

function endsMostlyInCrlf(raw: string): boolean {
  const seen = raw.slice(0, seenOfLineEnds)
  const all = seen.split('\n').length - 1
  const paired = seen.split('\r\n').length - 1
  return paired > all - paired
}
