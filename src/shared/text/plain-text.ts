/** How many characters are kept. */
const longest = 200
/** How many characters are read: a terminal accepts a title of ten million. */
const longestRead = 10 * longest

/**
 * An external text, such as a program's title, on one line of at most 200 characters: without control characters and
 * those that change the writing direction, and with single spaces.
 */
export function plainText(text: string): string {
  const line = text
    .slice(0, longestRead)
    .replace(/[\p{Cc}\p{Zl}\p{Zp}\s]+/gu, ' ')
    .replace(/[\u061c\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]/g, '')
    .trim()
  const characters = Array.from(line)
  return characters.length <= longest ? line : `${characters.slice(0, longest - 1).join('')}…`
}

const known: Record<string, string> = { '\n': '\\n', '\r': '\\r', '\t': '\\t' }

/**
 * A text with external names, on one line and in its own order: characters that would break the line or change the
 * writing direction are shown as escapes.
 */
export function escapeSigns(text: string): string {
  return text.replace(
    /[\p{Cc}\u061c\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069]/gu,
    (sign) => known[sign] ?? `\\u${(sign.codePointAt(0) ?? 0).toString(16).padStart(4, '0')}`,
  )
}

/** A part of an external text: plain, or escapes of invisible characters. */
export interface RevealedPiece {
  text: string
  hidden: boolean
}

/**
 * Characters that are invisible or misleading: control characters, those that change the writing direction or have no
 * width, and unusual spaces. Line breaks and tabs are visible.
 */
const unseen =
  /(?![\n\t])(?:\p{Cc}|\p{Cf}|\p{Cs}|\p{Zl}|\p{Zp}|\p{Default_Ignorable_Code_Point}|(?! )\p{Zs}|\u2800)/gu

/** An external text with nothing hidden in it, complete and in its own order. */
export function revealSigns(text: string): RevealedPiece[] {
  const pieces: RevealedPiece[] = []
  let end = 0
  for (const { 0: sign, index } of text.matchAll(unseen)) {
    if (index > end) pieces.push({ text: text.slice(end, index), hidden: false })
    const escape = known[sign] ?? `\\u{${(sign.codePointAt(0) ?? 0).toString(16)}}`
    const before = pieces.at(-1)
    if (before?.hidden && end === index) before.text += escape
    else pieces.push({ text: escape, hidden: true })
    end = index + sign.length
  }
  if (end < text.length) pieces.push({ text: text.slice(end), hidden: false })
  return pieces
}
