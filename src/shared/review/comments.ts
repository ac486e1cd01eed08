import type { Text } from '@codemirror/state'

/** What the person says to the agent about some lines of a change, or about the file. It decides nothing. */
export interface ReviewComment {
  id: string
  /**
   * Lines of the result, from 1 and including `to`. `to` is `from - 1` for lines that were removed before `from`. Null:
   * the lines are gone, or, without a quote, the whole file.
   */
  lines: { from: number; to: number } | null
  /** The text of these lines, by which they are found after an edit. */
  quote: string
  text: string
}

/** How many comments a review has at most, and how long each and what it quotes is, in UTF-16 units. */
export const mostComments = 200
export const longestComment = 10_000
export const longestQuote = 100_000

const longestShown = 100

/**
 * What the model is told with a decision: the person's note, then the comments in the file's order; null if nothing is
 * said.
 */
export function commentWords(
  path: string,
  comments: readonly ReviewComment[],
  note: string | null = null,
): string | null {
  const lines = comments
    .filter(({ text }) => text.trim() !== '')
    .toSorted((one, other) => startOf(one) - startOf(other))
    .map((comment) => `${placeWords(comment)}: ${comment.text.trim()}`)
  const parts = [
    note?.trim() ?? '',
    lines.length === 0 ? '' : [`The user’s comments on ${path}:`, ...lines].join('\n'),
  ].filter((part) => part !== '')
  return parts.length === 0 ? null : parts.join('\n\n')
}

/** Lines in words: "Line 3", "Lines 3 to 5". */
export function lineWords({ from, to }: { from: number; to: number }): string {
  return from === to ? `Line ${from}` : `Lines ${from} to ${to}`
}

/** The beginning of what is quoted, in one line. */
export function shortQuote(quote: string): string {
  const [first = '', ...others] = quote.trim().split('\n')
  const line = Array.from(first)
  const isWhole = others.length === 0 && line.length <= longestShown
  return isWhole ? first : `${line.slice(0, longestShown).join('')}…`
}

/** Whether a comment is about the file as a whole. */
function isAboutFile({ lines, quote }: Pick<ReviewComment, 'lines' | 'quote'>): boolean {
  return lines === null && quote === ''
}

/** Those that are gone come last. */
function startOf(comment: ReviewComment): number {
  return isAboutFile(comment) ? 0 : (comment.lines?.from ?? Infinity)
}

function placeWords({ lines, quote }: ReviewComment): string {
  if (isAboutFile({ lines, quote })) return 'The file'
  const quoted = quote.trim() === '' ? '' : `“${shortQuote(quote)}”`
  if (lines === null) return `Where ${quoted || 'an empty line'} was proposed`
  if (lines.to < lines.from) return `At line ${lines.from}, where ${quoted || 'an empty line'} is removed`
  return quoted === '' ? lineWords(lines) : `${lineWords(lines)}, ${quoted}`
}

/** The text of lines, from 1 and including `to`; empty if there are none. */
export function quoteOf(text: Text, { from, to }: { from: number; to: number }): string {
  return to < from ? '' : text.sliceString(text.line(from).from, text.line(to).to)
}

/**
 * Comments where their lines are now: where they were if these still say what is quoted, else at the nearest place that
 * does, else nowhere. What was said of removed lines stays at its line number. The same array if nothing moves.
 */
export function placeComments(comments: readonly ReviewComment[], text: Text): readonly ReviewComment[] {
  let hasMoved = false
  const placed = comments.map((comment) => {
    const lines = linesNow(comment, text)
    if (lines?.from === comment.lines?.from && lines?.to === comment.lines?.to) return comment
    hasMoved = true
    return { ...comment, lines }
  })
  return hasMoved ? placed : comments
}

function linesNow({ lines, quote }: ReviewComment, text: Text): ReviewComment['lines'] {
  if (isAboutFile({ lines, quote })) return null
  if (lines !== null && lines.to < lines.from) {
    const from = Math.min(lines.from, text.lines + 1)
    return { from, to: from - 1 }
  }
  const height = quote.split('\n').length
  const isAt = (from: number) =>
    from >= 1 && from + height - 1 <= text.lines && quoteOf(text, { from, to: from + height - 1 }) === quote
  const at = Math.min(lines?.from ?? 1, text.lines)
  // Outwards from where it was, so that the nearest of several is found.
  for (let distance = 0; distance <= text.lines; distance++) {
    const from = [at - distance, at + distance].find(isAt)
    if (from !== undefined) return { from, to: from + height - 1 }
  }
  return null
}
