const byteOrderMark = '\ufeff'

/**
 * The text to answer `FILE_SAVED` with, so that Claude Code writes exactly `accepted`, which has the file's own line
 * ends and byte order mark; `wire` is the proposal as it came. Measured, see docs/protocols/claude-code.md:
 * - The mark of an existing file stays whether it is answered or not; a Write proposal does not show it. One more than
 *   the proposal has makes the model hear of a modification, so the answer has it exactly where the proposal has it.
 * - Line ends of the answer are kept, but Edit turns every LF of a file whose lines mostly end in CRLF into CRLF. So
 *   the answer with the file's own ends is right for each tool, but where Edit shows a CRLF file with LF the model
 *   hears of a modification that nobody made. Where `isEdit` says that it is Edit, the proposal goes back as it came.
 */
export async function writtenText(
  wire: string,
  accepted: string,
  isEdit: () => Promise<boolean>,
): Promise<string> {
  const body = accepted.startsWith(byteOrderMark) ? accepted.slice(1) : accepted
  const answer = wire.startsWith(byteOrderMark) ? byteOrderMark + body : body
  if (answer === wire || !isWhollyCrlf(answer)) return answer
  const sameLines = answer.replaceAll('\r\n', '\n') === wire.replaceAll('\r\n', '\n')
  return sameLines && (await isEdit()) ? wire : answer
}

/** Whether the text has line ends, and all of them are CRLF. */
function isWhollyCrlf(text: string): boolean {
  return text.includes('\r\n') && !/(^|[^\r])\n/.test(text)
}
