import { Change, presentableDiff } from '@codemirror/merge'
import { diffLines } from '../../../../shared/text/line-diff'
import type { Lines } from './hunk-lines'

/** A stretch of characters, from the start of a change's text. */
export interface WordSpan {
  readonly from: number
  readonly to: number
  /** For white space, which would look alike on both sides: the sign drawn over it. */
  readonly sign?: string
}

/** The characters that differ in the two texts of a change. No stretch reaches over a line's end. */
export interface WordMarks {
  readonly a: readonly WordSpan[]
  readonly b: readonly WordSpan[]
}

/**
 * Above this many characters on either side a change of many lines has no word marks: they would cost much and tell
 * little. One of few lines has long ones, in which nothing would be found without marks.
 */
export const longestMarked = 4000
const fewLines = 10
const longestText = 2_000_000
/** With more characters than this between the first and the last difference, all of them are marked. */
const longestByPieces = 200_000
const longestWord = 100
const none: WordMarks = { a: [], b: [] }
const remembered = new Map<string, WordMarks>()
const mostRemembered = 400
const rememberedLong: { a: string; b: string; marks: WordMarks }[] = []
const mostRememberedLong = 4

/** Whether a change of these lines has word marks at all. */
export function canMarkWords(a: Lines, b: Lines): boolean {
  const longest = Math.max(a.to - a.from, b.to - b.from)
  if (longest <= longestMarked) return true
  return longest <= longestText && a.count <= fewLines && b.count <= fewLines
}

/**
 * The words that differ between the two texts of a change. None where one text is empty and the other is more than
 * white space, and none where nearly everything differs: then marks would only be noise.
 */
export function markWords(a: string, b: string): WordMarks {
  if (a === '' || b === '') {
    const isBlank = a.length + b.length <= longestMarked && (a + b).trim() === ''
    return isBlank ? { a: blanksOf(a), b: blanksOf(b) } : none
  }
  if (a.length > longestMarked || b.length > longestMarked) return markLong(a, b)
  const key = `${a.length}:${a}${b}`
  const known = remembered.get(key)
  if (known) return known
  if (remembered.size >= mostRemembered) remembered.clear()
  const marks = marksOf(presentableDiff(a, b, { scanLimit: 500 }), a, b)
  remembered.set(key, marks)
  return marks
}

function marksOf(found: readonly Change[], a: string, b: string): WordMarks {
  if (isNoise(found, a, b)) return none
  return {
    a: found.flatMap(({ fromA, toA }) => spansOf(a, fromA, toA)),
    b: found.flatMap(({ fromB, toB }) => spansOf(b, fromB, toB)),
  }
}

/** Compares only what lies between the first and the last difference of long texts. */
function markLong(a: string, b: string): WordMarks {
  const known = rememberedLong.find((one) => one.a === a && one.b === b)
  if (known) return known.marks
  const start = wordStart(a, commonStart(a, b))
  const end = commonEnd(a, b, start)
  const [middleA, middleB] = [a.slice(start, a.length - end), b.slice(start, b.length - end)]
  const longest = Math.max(middleA.length, middleB.length)
  const compare = longest > longestMarked && longest <= longestByPieces ? diffPieces : diffWords
  const found = compare(middleA, middleB).map((one) => shift(one, start, start))
  const marks = marksOf(found, a, b)
  rememberedLong.unshift({ a, b, marks })
  rememberedLong.length = Math.min(rememberedLong.length, mostRememberedLong)
  return marks
}

/** How many characters two texts begin with alike. */
export function commonStart(a: string, b: string): number {
  const shorter = Math.min(a.length, b.length)
  let start = 0
  while (start < shorter && a.charCodeAt(start) === b.charCodeAt(start)) start++
  return start
}

/** How many characters two texts end with alike, which begin with as many as `start` alike. A word stays whole. */
function commonEnd(a: string, b: string, start: number): number {
  const most = Math.min(a.length, b.length) - start
  let end = 0
  while (end < most && a.charCodeAt(a.length - 1 - end) === b.charCodeAt(b.length - 1 - end)) end++
  for (let i = 0; i < longestWord && end > 0 && isWordAt(a, a.length - end); i++) end--
  return end
}

/** Where the word begins in which a place lies. */
function wordStart(text: string, place: number): number {
  let start = place
  for (let i = 0; i < longestWord && start > 0 && isWordAt(text, start - 1); i++) start--
  return start
}

const isWordAt = (text: string, place: number) => /[\p{L}\p{N}_$\ud800-\udfff]/u.test(text.charAt(place))

/** Pieces as between commas and brackets, each as if it were a line; those that differ are compared by words. */
function diffPieces(a: string, b: string): readonly Change[] {
  const [piecesA, piecesB] = [piecesOf(a), piecesOf(b)]
  const [placesA, placesB] = [placesOf(piecesA), placesOf(piecesB)]
  return diffLines(piecesA, piecesB).flatMap((found) => {
    const [fromA, toA] = [placesA[found.fromA] ?? 0, placesA[found.toA] ?? 0]
    const [fromB, toB] = [placesB[found.fromB] ?? 0, placesB[found.toB] ?? 0]
    return diffWords(a.slice(fromA, toA), b.slice(fromB, toB)).map((one) => shift(one, fromA, fromB))
  })
}

function diffWords(a: string, b: string): readonly Change[] {
  return Math.max(a.length, b.length) <= longestMarked
    ? presentableDiff(a, b, { scanLimit: 500 })
    : [new Change(0, a.length, 0, b.length)]
}

const shift = (one: Change, a: number, b: number): Change =>
  new Change(one.fromA + a, one.toA + a, one.fromB + b, one.toB + b)

const piecesOf = (text: string): string[] => text.match(/[^;,{}]*[;,{}]?/g) ?? []

/** Where each piece begins, and where the last one ends. */
function placesOf(pieces: readonly string[]): number[] {
  let place = 0
  return [0, ...pieces.map((piece) => (place += piece.length))]
}

/** The lines of a stretch one by one, without the space at either end of each; a stretch of space only gets signs. */
function spansOf(text: string, from: number, to: number): WordSpan[] {
  if (text.slice(from, to).trim() === '') return blanksOf(text, from, to)
  return splitLines(text, from, to).flatMap((span) => {
    const words = text.slice(span.from, span.to)
    const start = span.from + words.length - words.trimStart().length
    const end = span.to - (words.length - words.trimEnd().length)
    return start < end ? [{ from: start, to: end }] : []
  })
}

const signs: Record<string, string> = { ' ': '·', '\t': '→', '\u00a0': '⍽' }

/** A stretch of white space by its kinds: a run of spaces is one, each tab is one. */
function blanksOf(text: string, from = 0, to = text.length): WordSpan[] {
  return splitLines(text, from, to).flatMap((line) =>
    [...text.slice(line.from, line.to).matchAll(/ +|\u00a0+|./gsu)].map(({ 0: run, index }) => {
      const sign = (signs[run.charAt(0)] ?? '␣').repeat(run === '\t' ? 1 : run.length)
      return { from: line.from + index, to: line.from + index + run.length, sign }
    }),
  )
}

function splitLines(text: string, from: number, to: number): WordSpan[] {
  const spans: WordSpan[] = []
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
