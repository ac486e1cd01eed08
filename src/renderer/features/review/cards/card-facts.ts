import type { ReviewSummary } from '../../../../shared/contract/review'

/** A card of more changed lines than this is folded until it is asked for. */
const mostLines = 2000
/** A guess is never higher, in pixels: so much is found out soon enough. */
const highest = 4000
const lineHeight = 20
/** What stands around a change: three lines above and below, and one for those that are folded away. */
const linesAround = 7
/** A card's head, and the room below its text, in pixels. */
const around = 60

type Lines = Pick<ReviewSummary, 'addedLines' | 'removedLines' | 'changes'>

/** Whether a card is folded until it is asked for. */
export function isLong({ addedLines, removedLines }: Omit<Lines, 'changes'>): boolean {
  return addedLines + removedLines > mostLines
}

/** How high a card will be, in pixels, before its text has been drawn. */
export function guessHeight({ addedLines, removedLines, changes }: Lines): number {
  return Math.min(highest, around + (addedLines + removedLines + changes * linesAround) * lineHeight)
}

/** What all reviews are together: how many files, and lines added and removed. */
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
