import type { TextPosition, Stretch } from './ports'

/**
 * Where a text that an agent names is: from the first `startText` to the end of the first `endText` at or after it,
 * or of `startText` itself. With `toEndOfLine` it goes on to the end of that line. Undefined where `startText` is not
 * in the text; where only `endText` is missing, the stretch is `startText`. What is not there as it is named is looked for
 * with every line end as LF.
 */
export function findStretch(
  whole: string,
  named: { startText: string; endText?: string | undefined; toEndOfLine?: boolean | undefined },
): Stretch | undefined {
  // Agents name what they read on the disk, or the same with LF. Lines and characters are the same in both.
  const isExact = whole.includes(named.startText) && whole.includes(named.endText ?? '')
  const as = (text: string): string => (isExact ? text : withLf(text))
  const text = as(whole)
  const wanted = { ...named, startText: as(named.startText), endText: as(named.endText ?? '') }
  if (wanted.startText === '') return undefined
  const from = text.indexOf(wanted.startText)
  if (from === -1) return undefined
  let to = from + wanted.startText.length
  if (wanted.endText !== '') {
    const end = text.indexOf(wanted.endText, from)
    if (end !== -1) to = Math.max(end + wanted.endText.length, to)
  }
  if (wanted.toEndOfLine === true) {
    const lineEnd = text.indexOf('\n', to)
    to = lineEnd === -1 ? text.length : lineEnd
    if (to > from && text[to - 1] === '\r') to -= 1
  }
  return { start: placeOf(text, from), end: placeOf(text, to) }
}

function withLf(text: string): string {
  return text.replaceAll('\r\n', '\n')
}

/** The line and character of an offset, counting lines at LF. */
function placeOf(text: string, offset: number): TextPosition {
  let line = 0
  let lineStart = 0
  for (let at = text.indexOf('\n'); at !== -1 && at < offset; at = text.indexOf('\n', at + 1)) {
    line += 1
    lineStart = at + 1
  }
  return { line, character: offset - lineStart }
}
