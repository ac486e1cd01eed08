import type { Side, Tab, TabsDelta, TabsState } from '../../../shared/contract/tabs'
import { client } from '../host/client'
import { mirrorTopic, readMirror, useMirror } from '../host/mirror'
import { NoticedTabs } from './noticed-tabs'

/** Applies one delta of the tabs; `reveal`, `waited` and `flush` are events and change no state. */
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

/** The tabs of the window's middle; `onDelta` also has the events. */
export const tabsMirror = mirrorTopic(client, 'tabs', {}, applyTabs)

const since = new NoticedTabs()
tabsMirror.store.subscribe(() => {
  const state = readMirror(tabsMirror)
  if (state) since.hear(state.shown, performance.now())
})

const none: TabsState = { tabs: [], active: null, shown: { left: null, right: null } }

/** All tabs, followed; none until the host has sent them. Follow a part with `useTabFact` where that is enough. */
export function useTabs(): TabsState {
  return useTabFact((state) => state)
}

/** A fact about the tabs, followed: a primitive value. */
export function useTabFact<T>(select: (state: TabsState) => T): T {
  return useMirror(tabsMirror, (state) => select(state ?? none))
}

/** A part of the active tab, followed; `select` gets null where there is none. */
export function useActiveTab<T>(select: (tab: Tab | null) => T): T {
  return useTabFact(({ tabs, active }) => select(tabs.find((tab) => tab.id === active) ?? null))
}

/** The path of the active tab's file, followed; null where it has none. */
export function useActivePath(): string | null {
  return useActiveTab(pathOf)
}

/** The path of a tab's file; null where it has none. */
export function pathOf(tab: Tab | null): string | null {
  return tab && 'path' in tab ? tab.path : null
}

/** The active tab. */
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
 * The tab that an element of the page belongs to, else the active one. Right after an agent has brought
 * something to the front on the other side they differ, and what a person does is meant for where the focus is.
 */
export function tabAt(target: Element | null): Tab | null {
  const side = target?.closest<HTMLElement>('[data-side]')?.dataset['side']
  return (side === 'left' || side === 'right' ? shownTab(side) : null) ?? activeTab()
}

/** Whether a tab has been in front long enough for a key pressed now to be meant for it. */
export function isNoticed(tab: Tab): boolean {
  return since.isNoticed(tab.id, performance.now())
}
