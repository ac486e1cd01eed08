import { createStore } from 'zustand/vanilla'
import type { Result } from '../../../shared/result'
import { pathOfDropped } from '../../connect'
import { ask, attempt } from '../host/calls'
import { client } from '../host/client'
import { saveLayoutNow } from './kept-layout'
import { readMirror } from '../host/mirror'
import { tell } from './notices-mirror'
import { openFile } from '../tabs/wanted-file'
import { windowMirror } from './window-mirror'

/** What a chosen folder is for: a window of its own (or this one, if it has none), or one more in this window. */
export type FolderPurpose = 'open' | 'add'

/** Whether the page's own folder dialog is open, and for what; used where there is no system dialog. */
export const folderDialog = createStore<{ open: boolean; purpose: FolderPurpose }>()(() => ({
  open: false,
  purpose: 'open',
}))

/** Whether the list of the window's folders is open. */
export const foldersDialog = createStore<{ open: boolean }>()(() => ({ open: false }))

/** Folders dropped on a window that already has some; the person chooses where they open. */
export const droppedFolders = createStore<{ paths: readonly string[] }>()(() => ({ paths: [] }))

/** Opens a folder, or adds it to this window. Returns a failure for the caller to show. */
export async function takeFolder(path: string, purpose: FolderPurpose): Promise<Result<unknown>> {
  // Unsaved layout goes with the window to its new folders.
  saveLayoutNow()
  if (purpose === 'add') return attempt('window.addFolder', { path })
  const opened = await attempt('window.openFolder', { path })
  if (opened.ok) followLink(opened.value.link, () => void openFolder(path))
  return opened
}

/** Opens a folder where it belongs, or adds it to this window. Reports a failure. */
export async function openFolder(path: string, purpose: FolderPurpose = 'open'): Promise<void> {
  const opened = await takeFolder(path, purpose)
  if (!opened.ok) tell('error', opened.failure.message)
}

/** Opens a window without a folder, or shows the one there is. Reports a failure. */
export async function openNewWindow(): Promise<void> {
  const opened = await attempt('window.openNew', {})
  if (opened.ok) followLink(opened.value.link, () => void openNewWindow())
  else tell(opened.failure.code === 'open-already' ? 'info' : 'error', opened.failure.message)
}

/**
 * Shows another window in a tab of its own of this browser. A browser opens one only while it counts the press that
 * asked for it; otherwise the person is given something to press. The link works once and for a minute: `again` gets
 * another.
 */
function followLink(link: string | null, again: () => void): void {
  if (link === null) return
  // Whatever the host calls itself, the code only goes to where this page came from.
  const address = new URL(`/${new URL(link).search}`, location.origin)
  if (navigator.userActivation.isActive) {
    window.open(address, '_blank', 'noopener')
    tell('info', 'The window opens in another browser tab.', { label: 'Open it again', run: again })
  } else {
    tell('warning', 'The window is ready, in a tab of its own.', { label: 'Open the tab', run: again })
  }
}

/** Opens a web address in the person's browser, which may be on another computer than the host. */
export function openAddress(url: string): void {
  if (readMirror(windowMirror)?.host !== 'browser') return void ask('window.openExternal', { url })
  const open = () => void window.open(url, '_blank', 'noopener,noreferrer')
  if (navigator.userActivation.isActive) open()
  else tell('info', `A link leads to ${new URL(url).host}.`, { label: 'Open the link', run: open })
}

/** Lets the person choose a folder and opens or adds it: by the system's dialog, else by the page's own. */
export async function chooseFolder(purpose: FolderPurpose = 'open'): Promise<void> {
  const chosen = await attempt('window.chooseFolder', {})
  if (chosen.ok) {
    if (chosen.value.path === null) return
    await openFolder(chosen.value.path, purpose)
  } else if (chosen.failure.code === 'unavailable') folderDialog.setState({ open: true, purpose })
  else tell('error', chosen.failure.message)
}

/** The paths of files dropped on the page, as far as it may know them: a browser doesn't tell. */
export function pathsOfDropped(files: readonly File[]): string[] {
  return files.map(pathOfDropped).filter((path) => path !== '')
}

/** Opens what was dropped on the window: files in tabs, and folders here if it has none, else where the person says. */
export async function openDropped(files: readonly File[]): Promise<void> {
  const facts = readMirror(windowMirror)
  const paths = pathsOfDropped(files)
  if (paths.length === 0) {
    const why =
      facts?.host === 'browser'
        ? 'Browsers don’t reveal the path of a dropped file. Use “Open a folder …” instead.'
        : 'That isn’t a file on this disk. Save it first, then drop it again.'
    return tell('warning', why)
  }
  const sorted = await client.call('window.sortDropped', { paths: paths.slice(0, 200) }).catch(() => null)
  if (sorted === null) return tell('error', 'That couldn’t be opened. Try again.')
  for (const path of sorted.files)
    await openFile(path, { preview: false, focus: path === sorted.files.at(-1) })
  if (facts && facts.folders.length > 0) droppedFolders.setState({ paths: sorted.folders })
  else {
    for (const [at, path] of sorted.folders.entries()) await openFolder(path, at === 0 ? 'open' : 'add')
  }
  const [odd] = sorted.others
  if (odd !== undefined) tell('warning', `${odd} is neither a file nor a folder, so it was not opened.`)
}
