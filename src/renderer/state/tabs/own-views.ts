import type { OwnView } from '../../../shared/contract/tabs'
import { send } from '../host/calls'
import { frameLayout } from '../window/frame-layout'
import { wantTab } from './wanted-tab'

/** Opens a page of the app's own in a tab and goes there; in a narrow window the middle comes before. */
export function openView(view: OwnView): void {
  frameLayout.narrowView.set('main')
  wantTab((tab) => tab.kind === 'view' && tab.view === view)
  send('tabs.openView', { view })
}
