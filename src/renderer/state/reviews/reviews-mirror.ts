import { useShallow } from 'zustand/react/shallow'
import type { Topics } from '../../../shared/contract/contract'
import type { DecidedReview, ReviewSummary } from '../../../shared/contract/review'
import { ask, send } from '../host/calls'
import { client } from '../host/client'
import { mirrorTopic, putById, readMirror, useMirror } from '../host/mirror'

type ReviewsState = Topics['reviews']['snapshot']

export function applyReviews(state: ReviewsState, delta: Topics['reviews']['delta']): ReviewsState {
  switch (delta.kind) {
    case 'put':
      return { ...state, reviews: putById(state.reviews, delta.review) }
    case 'remove':
      return { ...state, reviews: state.reviews.filter((review) => review.id !== delta.id) }
    case 'decided':
      return { ...state, decided: delta.decided }
  }
}

/** All reviews of this window, pending and recently decided. */
export const reviewsMirror = mirrorTopic(client, 'reviews', {}, applyReviews)

const noReviews: readonly ReviewSummary[] = []
const noDecided: readonly DecidedReview[] = []

export function usePendingReviews(): readonly ReviewSummary[] {
  return useMirror(reviewsMirror, (state) => state?.reviews ?? noReviews)
}

/** The agents that ask for a change, by the path of the file; followed. */
export function useAskingAgents(): ReadonlyMap<string, string> {
  const select = useShallow(
    (state: ReviewsState | null) => new Map(state?.reviews.map(({ path, agent }) => [path, agent])),
  )
  return useMirror(reviewsMirror, select)
}

/** The reviews that are over but still known, followed. */
export function useDecidedReviews(): readonly DecidedReview[] {
  return useMirror(reviewsMirror, (state) => state?.decided ?? noDecided)
}

/** The summary of a pending review; undefined when it is over. */
export function findReview(id: string): ReviewSummary | undefined {
  return readMirror(reviewsMirror)?.reviews.find((review) => review.id === id)
}

/** Reviews in the order in which they are listed and decided: the oldest first. */
export function inOrder<R extends Pick<ReviewSummary, 'askedAt'>>(reviews: readonly R[]): R[] {
  return [...reviews].sort((one, two) => one.askedAt - two.askedAt)
}

/** Reopens a rejected change and shows it. Reports a failure. */
export async function reopenReview(id: string): Promise<boolean> {
  const reopened = await ask('review.reopen', { id })
  if (reopened) send('tabs.openReview', { review: reopened.review })
  return reopened !== undefined
}

/** A part of a pending review's summary, followed; null when it is over. */
export function useReview<T>(id: string, select: (review: ReviewSummary) => T): T | null {
  return useMirror(reviewsMirror, (state) => {
    const review = state?.reviews.find((other) => other.id === id)
    return review ? select(review) : null
  })
}
