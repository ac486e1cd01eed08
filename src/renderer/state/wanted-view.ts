import { createStore } from 'zustand/vanilla'
import type { OwnView } from '../../shared/contract/tabs'
import { send } from './calls'
import { frameLayout } from './frame-layout'

/** The view of the app's own that shall have the focus as soon as its tab is shown; whoever shows it clears it. */
export const wantedView = createStore<{ view: OwnView | null }>()(() => ({ view: null }))

/** Opens a page of the app's own in a tab and goes there; in a narrow window the middle comes before. */
export function openView(view: OwnView): void {
  frameLayout.narrowView.set('main')
  wantedView.setState({ view })
  send('tabs.openView', { view })
}
