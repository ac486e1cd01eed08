import type { Disposable } from '../../../shared/lifetime'
import { registerCommands } from '../../commands/registry'
import { send } from '../../state/calls'
import { frameLayout, showPanel, showSide, showTerminal } from '../../state/frame-layout'
import { readMirror } from '../../state/mirror'
import { readSetting } from '../../state/settings'
import { closeTab } from '../../state/tab-closing'
import { activeTab, tabAt, tabsMirror } from '../../state/tabs'
import { chooseFolder, folderDialog, foldersDialog } from '../../state/window-actions'
import { cyclePanes, enterPane, findPane } from './pane-cycle'

/** Makes the frame's commands known until disposed. */
export function registerWindowCommands(): Disposable {
  return registerCommands([
    { id: 'pane.next', title: 'Next pane', keys: ['F6'], fromTerminal: true, run: () => cyclePanes(1) },
    {
      id: 'pane.previous',
      title: 'Previous pane',
      keys: ['Shift+F6'],
      fromTerminal: true,
      run: () => cyclePanes(-1),
    },
    { id: 'view.toggleSide', title: 'Show or hide the side bar', keys: ['Mod+B'], run: toggleSide },
    {
      id: 'view.toggleTerminal',
      title: 'Show or hide the terminals',
      keys: ['Mod+J'],
      run: toggleTerminal,
    },
    { id: 'view.files', title: 'Show files', run: () => enter('side', () => showSide('files')) },
    {
      id: 'view.reviews',
      title: 'Show pending reviews',
      run: () => enter('side', () => showSide('reviews')),
    },
    {
      id: 'view.allReviews',
      title: 'Show all reviews',
      run: () => send('tabs.openReviews', {}),
    },
    {
      id: 'view.context',
      title: 'Show what agents see',
      run: () => enter('panel', () => showPanel('context')),
    },
    {
      id: 'view.connections',
      title: 'Show connections',
      run: () => enter('panel', () => showPanel('connections')),
    },
    { id: 'view.log', title: 'Show the protocol log', run: () => enter('panel', () => showPanel('log')) },
    {
      id: 'view.settings',
      title: 'Settings',
      keys: ['Mod+,'],
      run: () => enter('panel', () => showPanel('settings')),
    },
    {
      id: 'view.moveTerminal',
      title: 'Move the terminals to the other side',
      run: () =>
        send('settings.set', {
          terminalPosition: readSetting('terminalPosition') === 'bottom' ? 'right' : 'bottom',
        }),
    },
    { id: 'folder.open', title: 'Open a folder …', run: () => void chooseFolder() },
    {
      id: 'folder.recent',
      title: 'Open a recent folder …',
      run: () => folderDialog.setState({ open: true, purpose: 'open' }),
    },
    { id: 'folder.add', title: 'Add a folder to this window …', run: () => void chooseFolder('add') },
    {
      id: 'folder.list',
      title: 'Folders of this window …',
      run: () => foldersDialog.setState({ open: true }),
    },
    { id: 'window.new', title: 'New window', keys: ['Mod+Shift+N'], run: () => send('window.openNew', {}) },
    {
      id: 'tab.close',
      title: 'Close the tab',
      keys: ['Mod+W'],
      when: () => activeTab() !== null,
      run: (target) => {
        const tab = tabAt(target)
        if (tab) void closeTab(tab.id)
      },
    },
    { id: 'tab.next', title: 'Next tab', keys: ['Ctrl+PageDown'], repeats: true, run: () => stepTab(1) },
    {
      id: 'tab.previous',
      title: 'Previous tab',
      keys: ['Ctrl+PageUp'],
      repeats: true,
      run: () => stepTab(-1),
    },
  ])
}

function toggleSide(): void {
  const opens = !frameLayout.sideOpen.get()
  const hadFocus = findPane('side')?.contains(document.activeElement) ?? false
  frameLayout.sideOpen.set(opens)
  frameLayout.narrowView.set(opens ? 'side' : 'main')
  if (!opens && hadFocus) enter('main', () => undefined)
}

/** Shut: opens it and goes there. Open: shuts it, and the focus does not stay in what is gone. */
function toggleTerminal(): void {
  if (frameLayout.terminalOpen.get()) {
    const hadFocus = findPane('terminal')?.contains(document.activeElement) ?? false
    frameLayout.terminalOpen.set(false)
    if (hadFocus) enter('main', () => undefined)
  } else enter('terminal', showTerminal)
}

/** Shows a pane and puts the focus there once it stands. */
function enter(pane: string, show: () => void): void {
  show()
  requestAnimationFrame(() => {
    const element = findPane(pane)
    if (element) enterPane(element)
  })
}

function stepTab(step: 1 | -1): void {
  const state = readMirror(tabsMirror)
  if (!state || state.tabs.length === 0) return
  const at = state.tabs.findIndex((tab) => tab.id === state.active)
  const next = state.tabs[(at + step + state.tabs.length) % state.tabs.length]
  if (next) send('tabs.activate', { id: next.id })
}
