import { type Disposable, disposable } from '../../shared/lifetime'
import { send } from './calls'
import { readMirror } from './mirror'
import { tabsMirror } from './tabs'
import { isWorkingInText } from './text-work'

/**
 * Brings a review to the front when it comes, unless the person works in a text or another review is there already:
 * it then waits in its tab and in the list. The focus stays where it is.
 */
export function runNewReviews(): Disposable {
  // What the first snapshot has is not new: after a reload the window stands as it stood.
  let known: ReadonlySet<string> | null = null
  const look = () => {
    const state = readMirror(tabsMirror)
    if (!state) return
    const reviews = state.tabs.filter((tab) => tab.kind === 'review')
    const before = known
    known = new Set(reviews.map((tab) => tab.id))
    const fresh = before && reviews.find((tab) => !before.has(tab.id))
    const shown = state.tabs.find((tab) => tab.id === state.active)
    const isReviewing = shown?.kind === 'review' || shown?.kind === 'reviews'
    if (!fresh || isReviewing || isWorkingInText(document.activeElement)) return
    send('tabs.activate', { id: fresh.id })
  }
  look()
  return disposable(tabsMirror.store.subscribe(look))
}
