import type { Side, Tab, TabsDelta, TabsState } from '../../../shared/contract/tabs'
import { client } from '../host/client'
import { mirrorTopic, readMirror, useMirror } from '../host/mirror'
import { ShownSince } from '../reviews/shown-since'

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

const since = new ShownSince()
tabsMirror.store.subscribe(() => {
  const state = readMirror(tabsMirror)
  if (state) since.hear(state.shown, performance.now())
})

const none: TabsState = { tabs: [], active: null, shown: { left: null, right: null } }

/** The tabs, followed; none until the host has told them. For what draws them all: others follow what they show. */
export function useTabs(): TabsState {
  return useTabFact((state) => state)
}

/** Something that the tabs tell, followed: a number, a name, or yes and no. */
export function useTabFact<T>(select: (state: TabsState) => T): T {
  return useMirror(tabsMirror, (state) => select(state ?? none))
}

/** A part of the active tab, followed; `select` gets null where there is none. */
export function useActiveTab<T>(select: (tab: Tab | null) => T): T {
  return useTabFact(({ tabs, active }) => select(tabs.find((tab) => tab.id === active) ?? null))
}

/** The tab that is shown now. */
export function activeTab(): Tab | null {
  const state = readMirror(tabsMirror)
  return state?.tabs.find((tab) => tab.id === state.active) ?? null
}

/** The tab of a file; null where it has none. */
export function fileTab(path: string): Tab | null {
  return readMirror(tabsMirror)?.tabs.find((tab) => tab.kind === 'file' && tab.path === path) ?? null
}

/** The tab that a side shows now. */
export function shownTab(side: Side): Tab | null {
  const state = readMirror(tabsMirror)
  return state?.tabs.find((tab) => tab.id === state.shown[side]) ?? null
}

/**
 * The tab that an element of the page belongs to, else the one that is worked in. Right after an agent has brought
 * something to the front on the other side these are two, and what a person does is meant for where the focus is.
 */
export function tabAt(target: Element | null): Tab | null {
  const side = target?.closest<HTMLElement>('[data-side]')?.dataset['side']
  return (side === 'left' || side === 'right' ? shownTab(side) : null) ?? activeTab()
}

/** Whether a tab has stood in front for long enough that a key pressed now can be meant for it. */
export function isNoticed(tab: Tab): boolean {
  return since.isNoticed(tab.id, performance.now())
}
