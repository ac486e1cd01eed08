const escape = 0x1b
const bracket = 0x5b
const letterM = 0x6d
const lineFeed = 0x0a
const carriageReturn = 0x0d
const highBits = 0x80808080 | 0

/**
 * Whether a UTF-8 text has only printable characters, ordinary text controls, and sequences that set colours; the last
 * of these may be cut off. It reads every byte of a flood, so it checks four printable ASCII bytes at a time.
 */
export function isPlain(bytes: Uint8Array): boolean {
  const { length } = bytes
  // The first byte of an aligned word of four.
  const begin = Math.min(length, -bytes.byteOffset & 3)
  const words =
    length - begin < 4
      ? new Int32Array()
      : new Int32Array(bytes.buffer, bytes.byteOffset + begin, (length - begin) >> 2)
  let index = 0
  while (index < length) {
    if (index >= begin && ((index - begin) & 3) === 0) {
      let at = (index - begin) >> 2
      while (at < words.length && arePrintable(words[at] ?? 0)) at++
      index = begin + (at << 2)
      if (index >= length) return true
    }
    const code = bytes[index++] ?? 0
    if (isText(code)) continue
    // U+0080 to U+009F are controls.
    if (code === 0xc2 && (bytes[index] ?? 0xff) >= 0xa0) continue
    if (code !== escape) return false
    if (index === length) return true
    if (bytes[index++] !== bracket) return false
    while (index < length && isParameter(bytes[index] ?? 0)) index++
    if (index < length && bytes[index++] !== letterM) return false
  }
  return true
}

/** Printable, or backspace, tab, line feed, carriage return, or part of a character beyond U+00BF. */
function isText(code: number): boolean {
  if (code >= 0x20) return code !== 0x7f && code !== 0xc2
  return (code >= 0x08 && code <= lineFeed) || code === carriageReturn
}

/** Digits, colons and semicolons, which are adjacent in ASCII. */
function isParameter(code: number): boolean {
  return code >= 0x30 && code <= 0x3b
}

/** Whether four bytes are all from 0x20 to 0x7e: then no subtraction borrows and no addition carries. */
function arePrintable(word: number): boolean {
  return ((word | (word - 0x20202020) | (word + 0x01010101)) & highBits) === 0
}

/**
 * Cuts off the part of a UTF-8 flood that scrolls out of a screen before anyone can see it. Only plain text with
 * colours is cut, and only if at least `lines` line breaks follow; the colours in force at the cut are kept. Null if
 * nothing can be cut. The screen is the same with and without the cut part if it has no margins, shows its normal
 * buffer, and keeps at most `lines` lines (rows included) less its rows.
 */
export function forgetScrolledOut(output: Buffer, lines: number): Buffer | null {
  let cut = output.length
  for (let count = 0; count < lines; cut--) {
    if (cut <= 0) return null
    if (output[cut - 1] === lineFeed) count++
  }
  // The first line that is kept has to begin in the first column.
  if (cut === 0 || output[cut - 1] !== carriageReturn || !isPlain(output)) return null
  const colours = Buffer.from(coloursOf(output.subarray(0, cut)))
  const kept = output.subarray(cut + 1)
  return Buffer.concat([colours, kept])
}

/** The colour sequences of a text since its last reset. */
function coloursOf(bytes: Buffer): string {
  const last = bytes.lastIndexOf(escape)
  if (last < 0) return ''
  const reset = Math.max(bytes.lastIndexOf('\x1b[m'), bytes.lastIndexOf('\x1b[0m'), 0)
  const text = bytes.toString('latin1', reset, Math.min(bytes.length, last + 256))
  return (text.match(/\x1b\[[\d:;]*m/g) ?? []).join('')
}
