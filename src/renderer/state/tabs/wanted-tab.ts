import { createStore } from 'zustand/vanilla'
import type { Tab } from '../../../shared/contract/tabs'

type Wish = (tab: Tab) => boolean

/**
 * Which tab the person goes into as soon as it is shown; the side that shows it takes the wish. It holds for a short
 * while only: when the tab is shown much later, nobody waits for it any more.
 */
export const wantedTab = createStore<{ wish: Wish | null; since: number }>()(() => ({ wish: null, since: 0 }))

/** How long a wish holds, in milliseconds. */
const patience = 3000

/** Wishes for the focus in what a tab shows. */
export function wantTab(wish: Wish): void {
  wantedTab.setState({ wish, since: Date.now() })
}

/** Takes the wish back, whatever it is for. */
export function forgetWantedTab(): void {
  wantedTab.setState({ wish: null })
}

/** Whether some tab is wished for that may yet be shown. */
export function isTabWanted(): boolean {
  const { wish, since } = wantedTab.getState()
  return wish !== null && Date.now() - since < patience
}

/** Takes the wish where it is for this tab, and tells whether it was. */
export function takeWantedTab(tab: Tab): boolean {
  const isMeant = isTabWanted() && wantedTab.getState().wish?.(tab) === true
  if (isMeant) forgetWantedTab()
  return isMeant
}
