/** A search: one text must contain all of these words, in any case. */
export interface SessionQuery {
  /** The longest one first. */
  words: readonly RegExp[]
  /**
   * The parts of them that JSON doesn't escape, except perhaps letters beyond ASCII. The longest first; one empty
   * string if there is none.
   */
  plain: readonly string[]
}

/**
 * What JSON must escape, what some escape for HTML, and the space between words in a row, which may belong to two
 * texts.
 */
const notPlain = /[\s\p{Cc}\p{Cs}"\\/<>&'+=`\ufffd]+/u

/** Further words are ignored. */
const mostWords = 20

/** Reads what was typed: words, and "several words" in a row. Null if there are none. */
export function readQuery(typed: string): SessionQuery | null {
  const found = [...typed.matchAll(/"([^"]*)"?|[^\s"]+/g)].map((match) => (match[1] ?? match[0]).trim())
  const words = [...new Set(found.filter((word) => word !== ''))].slice(0, mostWords)
  if (words.length === 0) return null
  const byLength = (a: string, b: string) => b.length - a.length
  const plain = new Set(words.flatMap((word) => word.split(notPlain)).sort(byLength))
  return {
    words: words.sort(byLength).map(patternOf),
    plain: [...plain].filter((part, at) => at === 0 || part !== ''),
  }
}

function patternOf(word: string): RegExp {
  const pattern = word
    .split(/\s+/)
    .map((part) => part.replaceAll(/[.*+?^${}()|[\]\\/]/g, '\\$&'))
    .join('\\s+')
  return new RegExp(pattern, 'giu')
}

/** Whether a text contains all words. */
export function hasAllWords(text: string, { words }: SessionQuery): boolean {
  return words.every((pattern) => text.search(pattern) >= 0)
}

/** Matches any of the words. */
export function markPattern({ words }: SessionQuery): RegExp {
  return new RegExp(words.map(({ source }) => source).join('|'), 'giu')
}

/** A stretch of a text, in UTF-16 units; `to` is exclusive. */
export interface Stretch {
  from: number
  to: number
}

/** The text around the first match, on one line, with all matches in it. */
export interface Excerpt {
  text: string
  marks: Stretch[]
}

/** How much is shown before the first match, and in all, in characters. */
const before = 40
const whole = 220

/** Cuts a text around what was found in it; null if it doesn't contain all words. */
export function excerptOf(text: string, { words }: SessionQuery): Excerpt | null {
  const found: Stretch[] = []
  for (const pattern of words) {
    const first = text.matchAll(pattern).next().value
    if (!first) return null
    found.push({ from: first.index, to: first.index + first[0].length })
  }
  const [main] = found
  if (!main) return null
  const from = wordStart(text, Math.max(0, main.from - before), main.from)
  const to = wholeCharacter(
    text,
    Math.min(text.length, Math.max(from + whole, Math.min(main.to, from + 2 * whole))),
  )
  const lead = from > 0 ? '…' : ''
  const shown = text.slice(from, to)
  // The first one may be longer than what is shown.
  const first = { from: main.from - from + lead.length, to: Math.min(main.to, to) - from + lead.length }
  const marks = [first, ...words.flatMap((pattern) => stretchesOf(shown, pattern, lead.length))]
  return {
    text: `${lead}${shown.replaceAll(/[\s\p{Cc}]/gu, ' ')}${to < text.length ? '…' : ''}`,
    marks: joined(marks),
  }
}

function stretchesOf(text: string, pattern: RegExp, shift: number): Stretch[] {
  return Array.from(text.matchAll(pattern), (match) => ({
    from: match.index + shift,
    to: match.index + match[0].length + shift,
  }))
}

/** In order and without overlap. */
function joined(marks: Stretch[]): Stretch[] {
  const all: Stretch[] = []
  for (const mark of marks.sort((a, b) => a.from - b.from)) {
    const last = all.at(-1)
    if (last && mark.from <= last.to) last.to = Math.max(last.to, mark.to)
    else all.push({ ...mark })
  }
  return all
}

/** Where the next word begins, if before `limit`; else `at`, but not within a character. */
function wordStart(text: string, at: number, limit: number): number {
  if (at === 0 || /\s/.test(text.charAt(at - 1))) return at
  const space = text.slice(at, limit).search(/\s\S/)
  return space < 0 ? wholeCharacter(text, at) : at + space + 1
}

/** Moves an offset out of a surrogate pair. */
function wholeCharacter(text: string, at: number): number {
  const unit = text.charCodeAt(at)
  return at > 0 && at < text.length && unit >= 0xdc00 && unit <= 0xdfff ? at - 1 : at
}
