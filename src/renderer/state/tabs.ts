import type { Tab, TabsDelta, TabsState } from '../../shared/contract/tabs'
import { client } from './client'
import { mirrorTopic, readMirror, useMirror } from './mirror'

/** Applies one delta of the tabs; reveal, waited and flush are events and change nothing here. */
export function applyTabs(state: TabsState, delta: TabsDelta): TabsState {
  switch (delta.kind) {
    case 'state':
      return delta.state
    case 'reveal':
    case 'waited':
    case 'flush':
      return state
  }
}

/** The tabs of the window's middle; `onDelta` also tells the events. */
export const tabsMirror = mirrorTopic(client, 'tabs', {}, applyTabs)

const none: TabsState = { tabs: [], active: null }

/** The tabs, followed; none until the host has told them. */
export function useTabs(): TabsState {
  return useMirror(tabsMirror, (state) => state ?? none)
}

/** The tab that is shown now. */
export function activeTab(): Tab | null {
  const state = readMirror(tabsMirror)
  return state?.tabs.find((tab) => tab.id === state.active) ?? null
}
