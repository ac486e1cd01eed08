/** What is looked for: all of these must stand in one text, whatever their case. */
export interface SessionQuery {
  /** The longest one first. */
  words: readonly RegExp[]
  /**
   * The stretches of them that stand in JSON as they are, but for letters beyond ASCII, which may be written by their
   * numbers; the longest first, and an empty one where there is none.
   */
  plain: readonly string[]
}

/**
 * What JSON must write in another way, what some write so that it may stand in HTML, and what stands between words in a
 * row, which may be of two texts.
 */
const notPlain = /[\s\p{Cc}\p{Cs}"\\/<>&'+=`\ufffd]+/u

/** Further words are ignored. */
const mostWords = 20

/** Reads what was typed: words, and "several words" in a row. Null where nothing is asked. */
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

/** Whether all words stand in a text. */
export function hasAllWords(text: string, { words }: SessionQuery): boolean {
  return words.every((pattern) => text.search(pattern) >= 0)
}

/** What marks any of the words in a text. */
export function markPattern({ words }: SessionQuery): RegExp {
  return new RegExp(words.map(({ source }) => source).join('|'), 'giu')
}

/** A stretch of a text, in UTF-16 units; `to` is behind its end. */
export interface Stretch {
  from: number
  to: number
}

/** A text around the first place that was found, on one line, with all places in it. */
export interface Excerpt {
  text: string
  marks: Stretch[]
}

/** How much of the text is shown before the first place, and in all, in characters. */
const before = 40
const whole = 220

/** Cuts a text around what was found in it; null where not all words stand in it. */
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

/** In order, and none over another. */
function joined(marks: Stretch[]): Stretch[] {
  const all: Stretch[] = []
  for (const mark of marks.sort((a, b) => a.from - b.from)) {
    const last = all.at(-1)
    if (last && mark.from <= last.to) last.to = Math.max(last.to, mark.to)
    else all.push({ ...mark })
  }
  return all
}

/** Where the next word begins, if one does before `limit`; else not within a character. */
function wordStart(text: string, at: number, limit: number): number {
  if (at === 0 || /\s/.test(text.charAt(at - 1))) return at
  const space = text.slice(at, limit).search(/\s\S/)
  return space < 0 ? wholeCharacter(text, at) : at + space + 1
}

/** Not within a character of two units. */
function wholeCharacter(text: string, at: number): number {
  const unit = text.charCodeAt(at)
  return at > 0 && at < text.length && unit >= 0xdc00 && unit <= 0xdfff ? at - 1 : at
}
