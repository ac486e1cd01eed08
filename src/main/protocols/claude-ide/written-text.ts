const byteOrderMark = '\ufeff'

/**
 * The text to answer `FILE_SAVED` with, so that Claude Code writes exactly `accepted`, which has the file's own line
 * ends and byte order mark; `wire` is the proposal as it came. Measured, see docs/protocols/claude-code.md:
 * - The mark of an existing file stays whether it is answered or not; a Write proposal does not show it. One more than
 *   the proposal has makes the model hear of a modification, so the answer has it exactly where the proposal has it.
 * - Line ends of the answer are kept, but Edit turns every LF of a file whose lines mostly end in CRLF into CRLF. So
 *   the answer with the file's own ends is right for each tool. It costs that the model hears of a modification where
 *   Edit had shown the file with LF; the other way would let Write change every line end unseen.
 */
export function writtenText(wire: string, accepted: string): string {
  const body = accepted.startsWith(byteOrderMark) ? accepted.slice(1) : accepted
  return wire.startsWith(byteOrderMark) ? byteOrderMark + body : body
}
