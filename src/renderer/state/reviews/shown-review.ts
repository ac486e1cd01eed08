import { createStore } from 'zustand/vanilla'
import type { TabsState } from '../../../shared/contract/tabs'
import { send } from '../host/calls'
import { readMirror } from '../host/mirror'
import { tabsMirror } from '../tabs/tabs-mirror'
import { wantedTab } from '../tabs/wanted-tab'

/** The review whose card the list of cards should show, and whether it gets the focus. */
export const wantedCard = createStore<{ review: string | null; takesFocus: boolean }>()(() => ({
  review: null,
  takesFocus: false,
}))

/** Where a review is shown: in its own tab, as a card among all reviews, or in a tab yet to be opened. */
export function placeOfReview(state: TabsState, review: string): 'tab' | 'card' | 'new' {
  const all = state.tabs.find((tab) => tab.kind === 'reviews')
  const isAllShown = all !== undefined && (state.shown.left === all.id || state.shown.right === all.id)
  if (isAllShown) return 'card'
  if (state.tabs.some((tab) => tab.kind === 'review' && tab.review === review)) return 'tab'
  return all ? 'card' : 'new'
}

/**
 * Shows a review among all reviews if they are shown or it has no tab of its own, else in its tab. `onEnd` is called once
 * the host has done it, or can't.
 */
export function showReview(review: string, takesFocus: boolean, onEnd?: () => void): void {
  const state = readMirror(tabsMirror)
  if (!state) return
  if (placeOfReview(state, review) === 'card') return showAllReviews({ review, takesFocus }, onEnd)
  if (takesFocus) wantedTab.make((tab) => tab.kind === 'review' && tab.review === review)
  send('tabs.openReview', { review }, onEnd)
}

/** Shows all reviews in one scroll: at `card`, or with the focus in it. */
export function showAllReviews(card?: { review: string; takesFocus: boolean }, onEnd?: () => void): void {
  if (card) {
    // Both the decision and the list may ask for this; the second must not take the focus back.
    const { review, takesFocus } = wantedCard.getState()
    const isAgain = review === card.review
    wantedCard.setState({ ...card, takesFocus: card.takesFocus || (isAgain && takesFocus) })
  } else wantedTab.make((tab) => tab.kind === 'reviews')
  send('tabs.openReviews', {}, onEnd)
}
