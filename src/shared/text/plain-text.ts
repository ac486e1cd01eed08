/** How many characters are kept. */
const longest = 200
/** How many characters are read: a terminal accepts a title of ten million. */
const longestRead = 10 * longest

/**
 * A text of others, a program's or a file's name, in one line: control characters and those that turn the direction of
 * writing are gone, blanks are one blank, and it ends after 200 characters.
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
 * A text that holds names of others, on one line and in its own order: a control character that would break the line, or
 * turn the reading direction of what follows, is shown as an escape.
 */
export function escapeSigns(text: string): string {
  return text.replace(
    /[\p{Cc}\u061c\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069]/gu,
    (sign) => known[sign] ?? `\\u${(sign.codePointAt(0) ?? 0).toString(16).padStart(4, '0')}`,
  )
}

/** A stretch of a text of others: plain, or a character that could not be seen, as its escape. */
export interface RevealedPiece {
  text: string
  hidden: boolean
}

/**
 * Characters that are not seen, or not as what they are: control characters (also those of terminals), those that turn
 * the direction of writing, that have no width, blanks that are no blank. Line breaks and tabs are seen.
 */
const unseen =
  /(?![\n\t])(?:\p{Cc}|\p{Cf}|\p{Cs}|\p{Zl}|\p{Zp}|\p{Default_Ignorable_Code_Point}|(?! )\p{Zs}|\u2800)/gu

/** A text of others with nothing hidden in it, whole and in its order. */
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
