const escape = 0x1b

/**
 * Whether a text is nothing but printable characters, the plain movements of text, and sequences that set colours; the
 * last of these may be cut off by the end. (A loop, for it looks at every byte of a flood: a regular expression takes
 * ten times as long.)
 */
function isPlain(text: string): boolean {
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index)
    if ((code >= 0x20 && code < 0x7f) || code >= 0xa0) continue
    // Backspace, tab, line feed, carriage return.
    if ((code >= 0x08 && code <= 0x0a) || code === 0x0d) continue
    if (code !== escape) return false
    if (++index === text.length) return true
    if (text[index] !== '[') return false
    // Digits, colons and semicolons stand in one row.
    do index++
    while (index < text.length && text.charCodeAt(index) >= 0x30 && text.charCodeAt(index) <= 0x3b)
    if (index < text.length && text[index] !== 'm') return false
  }
  return true
}

/**
 * Cuts off the part of a flood that scrolls out of a screen before anyone can see it. Only plain text with colours is
 * cut, and only when at least `lines` line breaks follow; the colours in force at the cut are kept. Null when nothing
 * can be cut. Holds only for a screen without margins, in its normal buffer, whose lines kept (rows included) are at
 * most `lines` less its rows: then the screen is the same with and without what was cut.
 */
export function forgetScrolledOut(output: string, lines: number): string | null {
  let cut = output.length
  for (let count = 0; count < lines; count++) {
    cut = output.lastIndexOf('\n', cut - 1)
    if (cut <= 0) return null
  }
  // The first line that is kept has to begin in the first column.
  if (output[cut - 1] !== '\r' || !isPlain(output)) return null
  const head = output.slice(0, cut + 1)
  return coloursOf(head) + output.slice(cut + 1)
}

/** The colour sequences of a text since its last reset. */
function coloursOf(text: string): string {
  const reset = Math.max(text.lastIndexOf('\x1b[m'), text.lastIndexOf('\x1b[0m'), 0)
  return (text.slice(reset).match(/\x1b\[[\d:;]*m/g) ?? []).join('')
}
