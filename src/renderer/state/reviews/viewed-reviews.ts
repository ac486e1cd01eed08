import type { ReviewSummary } from '../../../shared/contract/review'
import { textEntriesOf } from '../../../shared/json'
import { defineLayoutValue, saveLayoutNow } from '../window/kept-layout'
import { readMirror } from '../host/mirror'
import { reviewsMirror } from './reviews-mirror'

/** The part of a review that decides whether it has been viewed. */
export type Viewable = Pick<ReviewSummary, 'id' | 'askedAt' | 'isStale'>

/** Which state of each review has been viewed, by the review's id. */
export type ViewedMarks = Readonly<Record<string, string>>

/** The most marks kept per folder. */
export const mostMarks = 1000

/** Makes valid marks from anything stored. */
export function parseMarks(stored: unknown): ViewedMarks {
  return Object.fromEntries(textEntriesOf(stored).slice(-mostMarks))
}

/** Kept by the host per folder with the layout, across reloads and restarts. */
export const viewedMarks = defineLayoutValue<ViewedMarks>('reviews.viewed', parseMarks)

/**
 * Identifies the state of a review that a person sees. It changes when the agent proposes again or the file
 * changes on disk, not with the person's own decisions and edits.
 */
export function stateOf({ askedAt, isStale }: Viewable): string {
  return `${askedAt} ${isStale ? 'stale' : 'fresh'}`
}

/** Whether a review has been viewed as it is now. */
export function isViewed(marks: ViewedMarks, review: Viewable): boolean {
  return marks[review.id] === stateOf(review)
}

/** The marks with one added or removed; those of reviews that are no longer `pending` are dropped. */
export function withMark(
  marks: ViewedMarks,
  review: Viewable,
  isViewed: boolean,
  pending: readonly Pick<ReviewSummary, 'id'>[],
): ViewedMarks {
  const ids = new Set(pending.map(({ id }) => id))
  const others = Object.entries(marks).filter(([id]) => id !== review.id && ids.has(id))
  const own: [string, string][] = isViewed ? [[review.id, stateOf(review)]] : []
  return Object.fromEntries([...others, ...own].slice(-mostMarks))
}

/** Marks a review as viewed as it is now, or as not viewed. */
export function setViewed(review: Viewable, isViewed: boolean): void {
  const pending = readMirror(reviewsMirror)?.reviews ?? []
  viewedMarks.set(withMark(viewedMarks.get(), review, isViewed, pending))
  // A mark is a decision of the person, so it is saved at once.
  saveLayoutNow()
}
