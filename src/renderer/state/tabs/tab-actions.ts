import { createStore } from 'zustand/vanilla'
import type { Tab } from '../../../shared/contract/tabs'
import { ask, attempt, send } from '../host/calls'
import { link } from '../host/link'
import { readMirror } from '../host/mirror'
import { tell } from '../window/notices-mirror'
import { flushDocument } from './open-documents'
import { wantedFile } from './wanted-file'
import { tabsMirror } from './tabs-mirror'

/** Which tabs are closed together, relative to one of them. */
export type CloseManner = 'others' | 'right' | 'saved'

/**
 * The tabs to close together: on the same side, and never a pinned one, a review (closing one
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

/** Closes several tabs. Files with unsaved text stay open, and a notice says so; any other failure ends it. */
export async function closeTabs(from: Tab, manner: CloseManner): Promise<void> {
  const tabs = tabsToClose(readMirror(tabsMirror)?.tabs ?? [], from, manner)
  let kept = 0
  for (const tab of tabs) {
    // Otherwise the host would close it without what it doesn't have yet; without a link the call fails anyway.
    const isThere = tab.kind !== 'file' || (await flushDocument(tab.path))
    if (!isThere && link.getState().state === 'live') {
      kept++
      continue
    }
    const closed = await attempt('tabs.close', { id: tab.id, unsaved: 'ask' })
    if (closed.ok) continue
    if (closed.failure.code !== 'unsaved') {
      tell('error', closed.failure.message)
      break
    }
    kept++
  }
  if (kept > 0) {
    const words =
      kept === 1 ? 'One file has unsaved text and stays' : `${kept} files have unsaved text and stay`
    tell('info', `${words} open. Save first, then close.`)
  }
}

/** Pins or unpins a tab. */
export function pinTab(tab: Tab): void {
  send('tabs.pin', { id: tab.id, pinned: !tab.pinned })
}

/** Reopens the file that was closed last. */
export function reopenTab(): void {
  void ask('tabs.reopen', {})
}

/** Shows a tab's content on the other side too; a review moves there. */
export async function splitTab(tab: Tab): Promise<void> {
  const split = await ask('tabs.split', { id: tab.id })
  if (split && tab.kind === 'file') wantedFile.make(tab.path)
}

/** Moves a tab to the other side of the middle. */
export async function moveToOtherSide(tab: Tab): Promise<void> {
  const moved = await ask('tabs.moveToSide', { id: tab.id, side: tab.side === 'left' ? 'right' : 'left' })
  if (moved && tab.kind === 'file') wantedFile.make(tab.path)
}

/** The file selected for comparing. */
export const rememberedFile = createStore<{ path: string | null; name: string }>()(() => ({
  path: null,
  name: '',
}))

export function rememberFile({ path, name }: { path: string; name: string }): void {
  rememberedFile.setState({ path, name })
  tell('info', 'Selected. Now choose “Compare with” on another file’s tab.')
}

/** Compares a file with the one selected before. */
export function compareWithRemembered(path: string): void {
  const remembered = rememberedFile.getState().path
  if (remembered === null || remembered === path) return
  send('tabs.openCompared', { path, against: { kind: 'file', path: remembered } })
}

/** Whether a file has a rendered preview. */
export function canBeDrawn(path: string): boolean {
  return /\.(md|markdown|mdown|mkd|svg)$/i.test(path)
}
