import { createStore } from 'zustand/vanilla'
import type { Tab } from '../../../shared/contract/tabs'
import { attempt } from '../host/calls'
import { link } from '../host/link'
import { readMirror } from '../host/mirror'
import { showNextWaiting } from '../reviews/next-review'
import { tell } from '../window/notices-mirror'
import { flushDocument } from './open-documents'
import { findReview } from '../reviews/reviews-mirror'
import { tabsMirror } from './tabs-mirror'
import { wantedTab } from './wanted-tab'

/** The tab whose unsaved text the person is asked about. */
export const closingTab = createStore<{ tab: Tab | null }>()(() => ({ tab: null }))

/** Closes a tab; asks first where unsaved text would be lost. A review's tab rejects the review. */
export async function closeTab(id: string, unsaved: 'ask' | 'save' | 'discard' = 'ask'): Promise<void> {
  const state = readMirror(tabsMirror)
  const tab = state?.tabs.find((other) => other.id === id)
  if (!tab) return
  // Whether anything is unsaved depends on what was typed last.
  if (tab.kind === 'file' && unsaved !== 'discard' && !(await flushDocument(tab.path))) {
    // The host doesn't know of it and would close the tab; without a link the call fails anyway.
    if (link.getState().state === 'live') return closingTab.setState({ tab })
  }
  const isShown = state?.shown[tab.side] === id
  const review = tab.kind === 'review' ? findReview(tab.review) : undefined
  const goesOn = isShown && isWorkedIn(tab)
  if (goesOn) wantedTab.make((other) => other.id !== id && (other.side === tab.side || !hasTabs(tab.side)))
  const closed = await attempt('tabs.close', { id, unsaved })
  if (closed.ok) {
    if (review && isShown) showNextWaiting(review, goesOn)
    return
  }
  if (goesOn) wantedTab.forget()
  if (closed.failure.code === 'unsaved') closingTab.setState({ tab })
  else tell('error', closed.failure.message)
}

/**
 * Whether the focus is where a tab is closed: on its side, or in its menu or question. For a file that a command
 * waits for, the focus returns to where the command was run.
 */
function isWorkedIn(tab: Tab): boolean {
  if (tab.kind === 'file' && tab.waited) return false
  const focused = document.activeElement
  // Outside every pane it is above the page: in the tab's menu or the question about it.
  if (focused === null || focused.closest('[data-pane]') === null) return true
  return focused.matches('[data-pane="main"]') || focused.closest(`[data-side="${tab.side}"]`) !== null
}

const hasTabs = (side: Tab['side']) => readMirror(tabsMirror)?.tabs.some((tab) => tab.side === side) === true
