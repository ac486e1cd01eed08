import type { OwnView } from '../../../shared/contract/tabs'
import { send } from '../host/calls'
import { frameLayout } from '../window/frame-layout'
import { wantedTab } from './wanted-tab'

/** Opens one of the app's own pages in a tab and focuses it; a narrow window switches to the middle. */
export function openView(view: OwnView): void {
  frameLayout.narrowView.set('main')
  wantedTab.make((tab) => tab.kind === 'view' && tab.view === view)
  send('tabs.openView', { view })
}
