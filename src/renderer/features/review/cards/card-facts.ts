import type { ReviewSummary } from '../../../../shared/contract/review'

/** A card with more changed lines than this is folded at first. */
const mostLines = 2000
/** A guess is never higher, in pixels: beyond that, the real height is known in time. */
const highest = 4000
const lineHeight = 20
/** Lines around a change: three above, three below, and one for those that are folded. */
const linesAround = 7
/** A card's head and the space below its text, in pixels. */
const around = 60

type Lines = Pick<ReviewSummary, 'addedLines' | 'removedLines' | 'changes'>

/** Whether a card is folded at first. */
export function isLong({ addedLines, removedLines }: Omit<Lines, 'changes'>): boolean {
  return addedLines + removedLines > mostLines
}

/** How high a card will be, in pixels, before its text has been drawn. */
export function guessHeight({ addedLines, removedLines, changes }: Lines): number {
  return Math.min(highest, around + (addedLines + removedLines + changes * linesAround) * lineHeight)
}

/** The totals of several reviews: files, lines added, lines removed. */
export function sumOf(reviews: readonly Pick<ReviewSummary, 'path' | 'addedLines' | 'removedLines'>[]): {
  files: number
  added: number
  removed: number
} {
  return {
    files: new Set(reviews.map((review) => review.path)).size,
    added: reviews.reduce((sum, review) => sum + review.addedLines, 0),
    removed: reviews.reduce((sum, review) => sum + review.removedLines, 0),
  }
}
