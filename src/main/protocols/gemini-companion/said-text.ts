const mark = '\uFEFF'

/**
 * The accepted text as the client is told. The client gives a file back the line ends that it had, so a text that
 * differs from the proposal by line ends only is the proposal, to the letter. It begins with a byte order mark where
 * the accepted text does, since a client writes no other; one that keeps the file's own mark gets none.
 */
export function saidText(proposed: string, accepted: string, keepsMark = false): string {
  const [asked, said] = [unmarked(proposed), unmarked(accepted)]
  const text = withoutReturns(asked) === withoutReturns(said) ? asked : said
  const isMarked = (keepsMark ? proposed : accepted).startsWith(mark)
  return isMarked ? mark + text : text
}

function unmarked(text: string): string {
  return text.startsWith(mark) ? text.slice(1) : text
}

function withoutReturns(text: string): string {
  return text.includes('\r') ? text.replaceAll('\r\n', '\n') : text
}
