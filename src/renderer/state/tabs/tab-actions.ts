import { createStore } from 'zustand/vanilla'
import type { Tab } from '../../../shared/contract/tabs'
import { ask, attempt, send } from '../host/calls'
import { readMirror } from '../host/mirror'
import { tell } from '../window/notices-mirror'
import { flushDocument } from './open-documents'
import { wantFocus } from './wanted-file'
import { tabsMirror } from './tabs-mirror'

/** Which tabs are closed together, seen from one of them. */
export type CloseManner = 'others' | 'right' | 'saved'

/**
 * The tabs that go when several are closed together: on the same side, and never a pinned one, a review (closing one
 * rejects it), or, for `saved`, a file with unsaved text.
 */
export function tabsToClose(tabs: readonly Tab[], from: Tab, manner: CloseManner): Tab[] {
  const mine = tabs.filter((tab) => tab.side === from.side)
  const at = mine.findIndex((tab) => tab.id === from.id)
  return mine.filter((tab, index) => {
    if (tab.pinned || tab.kind === 'review') return false
    switch (manner) {
      case 'others':
        return tab.id !== from.id
      case 'right':
        return index > at
      case 'saved':
        return tab.kind !== 'file' || !tab.dirty
    }
  })
}

/** Closes several tabs. Files with unsaved text stay open, and that is said. */
export async function closeTabs(from: Tab, manner: CloseManner): Promise<void> {
  const tabs = tabsToClose(readMirror(tabsMirror)?.tabs ?? [], from, manner)
  let kept = 0
  for (const tab of tabs) {
    // What the host does not have yet, it would close over.
    const isThere = tab.kind !== 'file' || (await flushDocument(tab.path))
    if (!isThere || !(await attempt('tabs.close', { id: tab.id, unsaved: 'ask' })).ok) kept++
  }
  if (kept > 0) {
    const words =
      kept === 1 ? 'One file has unsaved text and stays' : `${kept} files have unsaved text and stay`
    tell('info', `${words} open. Save first, then close.`)
  }
}

/** Pins a tab, or takes the pin away. */
export function pinTab(tab: Tab): void {
  send('tabs.pin', { id: tab.id, pinned: !tab.pinned })
}

/** Opens the file again that was closed last. */
export function reopenTab(): void {
  void ask('tabs.reopen', {})
}

/** Shows the same beside itself; a review moves there. */
export async function splitTab(tab: Tab): Promise<void> {
  const split = await ask('tabs.split', { id: tab.id })
  if (split && tab.kind === 'file') wantFocus(tab.path)
}

/** Takes a tab to the other side of the middle. */
export async function moveToOtherSide(tab: Tab): Promise<void> {
  const moved = await ask('tabs.moveToSide', { id: tab.id, side: tab.side === 'left' ? 'right' : 'left' })
  if (moved && tab.kind === 'file') wantFocus(tab.path)
}

/** The file that another one may be compared with. */
export const rememberedFile = createStore<{ path: string | null; name: string }>()(() => ({
  path: null,
  name: '',
}))

export function rememberFile({ path, name }: { path: string; name: string }): void {
  rememberedFile.setState({ path, name })
  tell('info', 'Selected. Now choose “Compare with” on another file’s tab.')
}

/** Compares a file with the remembered one. */
export function compareWithRemembered(path: string): void {
  const remembered = rememberedFile.getState().path
  if (remembered === null || remembered === path) return
  send('tabs.openCompared', { path, against: { kind: 'file', path: remembered } })
}

/** Whether a file can be shown as it looks when drawn. */
export function canBeDrawn(path: string): boolean {
  return /\.(md|markdown|mdown|mkd|svg)$/i.test(path)
}
