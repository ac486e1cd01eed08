import { createStore } from 'zustand/vanilla'
import type { Tab } from '../../../shared/contract/tabs'

type Wish = (tab: Tab) => boolean

/**
 * Which tab should take the focus as soon as it is shown; the side that shows it takes the request. It holds for a
 * short time only: if the tab is shown much later, nobody is waiting for it any more.
 */
export const wantedTab = createStore<{ wish: Wish | null; since: number }>()(() => ({ wish: null, since: 0 }))

/** How long a request holds, in milliseconds. */
const patience = 3000

/** Requests the focus for the content of a tab. */
export function wantTab(wish: Wish): void {
  wantedTab.setState({ wish, since: Date.now() })
}

/** Drops the request, whatever it is for. */
export function forgetWantedTab(): void {
  wantedTab.setState({ wish: null })
}

/** Whether a request still holds. */
export function isTabWanted(): boolean {
  const { wish, since } = wantedTab.getState()
  return wish !== null && Date.now() - since < patience
}

/** Takes the request if it is for this tab, and gives whether it was. */
export function takeWantedTab(tab: Tab): boolean {
  const isMeant = isTabWanted() && wantedTab.getState().wish?.(tab) === true
  if (isMeant) forgetWantedTab()
  return isMeant
}
