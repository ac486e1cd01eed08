import { createStore } from 'zustand/vanilla'
import type { Tab } from '../../shared/contract/tabs'
import { attempt } from './calls'
import { link } from './link'
import { readMirror } from './mirror'
import { showNextReview } from './next-review'
import { tell } from './notices'
import { flushDocument } from './open-documents'
import { findReview } from './reviews'
import { tabsMirror } from './tabs'

/** The tab whose unsaved text the person is asked about. */
export const closingTab = createStore<{ tab: Tab | null }>()(() => ({ tab: null }))

/** Closes a tab; asks first where unsaved text would be lost. A review's tab rejects the review. */
export async function closeTab(id: string, unsaved: 'ask' | 'save' | 'discard' = 'ask'): Promise<void> {
  const state = readMirror(tabsMirror)
  const tab = state?.tabs.find((other) => other.id === id)
  if (!tab) return
  // What was typed in the last moment belongs to the answer whether anything is unsaved.
  if (tab.kind === 'file' && unsaved !== 'discard' && !(await flushDocument(tab.path))) {
    // The host knows nothing of it and would close; without a link it says so by itself.
    if (link.getState().state === 'live') return closingTab.setState({ tab })
  }
  const review = tab.kind === 'review' ? findReview(tab.review) : undefined
  const closed = await attempt('tabs.close', { id, unsaved })
  if (closed.ok) {
    if (review && state?.active === id) showNextReview(review)
    return
  }
  if (closed.failure.code === 'unsaved') closingTab.setState({ tab })
  else tell('error', closed.failure.message)
}
