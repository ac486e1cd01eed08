import { type Change, presentableDiff } from '@codemirror/merge'

/** A stretch of characters, from the start of a change's text. */
export interface Span {
  readonly from: number
  readonly to: number
}

/** The characters that differ in the two texts of a change. No stretch reaches over a line's end. */
export interface WordMarks {
  readonly a: readonly Span[]
  readonly b: readonly Span[]
}

/** Above this many characters on either side a change has no word marks: they would cost much and tell little. */
export const longestMarked = 4000
const none: WordMarks = { a: [], b: [] }
const remembered = new Map<string, WordMarks>()
const mostRemembered = 400

/**
 * The words that differ between the two texts of a change. None where one text is empty or long, and none where
 * nearly everything differs: then marks would only be noise.
 */
export function markWords(a: string, b: string): WordMarks {
  if (a === '' || b === '' || a.length > longestMarked || b.length > longestMarked) return none
  const key = `${a.length}:${a}${b}`
  const known = remembered.get(key)
  if (known) return known
  if (remembered.size >= mostRemembered) remembered.clear()
  const found = presentableDiff(a, b, { scanLimit: 500 })
  const marks = isNoise(found, a, b)
    ? none
    : {
        a: found.flatMap(({ fromA, toA }) => spansOf(a, fromA, toA)),
        b: found.flatMap(({ fromB, toB }) => spansOf(b, fromB, toB)),
      }
  remembered.set(key, marks)
  return marks
}

/** The lines of a stretch one by one, without the space at either end of each; a stretch of space only stays. */
function spansOf(text: string, from: number, to: number): Span[] {
  if (text.slice(from, to).trim() === '') return splitLines(text, from, to)
  return splitLines(text, from, to).flatMap((span) => {
    const words = text.slice(span.from, span.to)
    const start = span.from + words.length - words.trimStart().length
    const end = span.to - (words.length - words.trimEnd().length)
    return start < end ? [{ from: start, to: end }] : []
  })
}

function splitLines(text: string, from: number, to: number): Span[] {
  const spans: Span[] = []
  for (let start = from; start < to;) {
    const lineEnd = text.indexOf('\n', start)
    const end = lineEnd < 0 || lineEnd > to ? to : lineEnd
    if (end > start) spans.push({ from: start, to: end })
    start = end + 1
  }
  return spans
}

function isNoise(changes: readonly Change[], a: string, b: string): boolean {
  const count = (text: string) => text.replace(/\s/g, '').length
  const same = changes.reduce((sum, { fromA, toA }) => sum - count(a.slice(fromA, toA)), count(a))
  return same < Math.min(count(a), count(b)) / 4
}

/** Whether two texts are the same but for white space. */
export function differInSpaceOnly(a: string, b: string): boolean {
  return a.replace(/\s+/g, '') === b.replace(/\s+/g, '')
}
