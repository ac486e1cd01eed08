const mark = '\uFEFF'

/**
 * The accepted text as the client is told. The client gives a file back the line ends that it had, so a text that
 * differs from the proposal by line ends or a byte order mark only is the proposal, to the letter. Any other has a mark
 * exactly where the proposal has one.
 */
export function saidText(proposed: string, accepted: string): string {
  if (plain(proposed) === plain(accepted)) return proposed
  const unmarked = accepted.startsWith(mark) ? accepted.slice(1) : accepted
  return proposed.startsWith(mark) ? mark + unmarked : unmarked
}

function plain(text: string): string {
  const unmarked = text.startsWith(mark) ? text.slice(1) : text
  return unmarked.includes('\r') ? unmarked.replaceAll('\r\n', '\n') : unmarked
}
