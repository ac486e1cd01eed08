import type { Disposable } from '../../../shared/lifetime'
import { onTab } from '../../commands/on-tab'
import { type Command, registerCommands } from '../../commands/registry'
import { showApprovals } from '../../state/approvals/approvals-mirror'
import { send } from '../../state/host/calls'
import { frameLayout, showPanel, showSide, showTerminal } from '../../state/window/frame-layout'
import { changeInForce } from '../../state/settings/settings-mirror'
import { newConversation } from '../../state/sessions/conversation-requests'
import { openSettingsFile } from '../../state/settings/open-settings-file'
import { closeTab } from '../../state/tabs/tab-closing'
import { isNoticed } from '../../state/tabs/tabs-mirror'
import { showAllReviews } from '../../state/reviews/shown-review'
import { showRecord } from '../../state/reviews/shown-record'
import { chooseFolder, folderDialog, foldersDialog, openNewWindow } from '../../state/window/window-actions'
import { trustDialog } from '../../state/window/trust-answer'
import { openView } from '../../state/tabs/own-views'
import { cyclePanes, enterPane, findPane } from './pane-cycle'

/** Registers the frame's commands until disposed. */
export function registerWindowCommands(): Disposable {
  return registerCommands([
    {
      id: 'pane.next',
      title: 'Next pane',
      keys: ['F6'],
      fromTerminal: true,
      menu: ['go', 1],
      run: () => cyclePanes(1),
    },
    {
      id: 'pane.previous',
      title: 'Previous pane',
      menu: ['go', 1],
      keys: ['Shift+F6'],
      fromTerminal: true,
      run: () => cyclePanes(-1),
    },
    {
      id: 'view.toggleSide',
      title: 'Toggle side bar',
      keys: ['Mod+B'],
      menu: ['view', 2],
      run: toggleSide,
    },
    {
      id: 'view.toggleTerminal',
      title: 'Toggle terminals',
      keys: ['Mod+J'],
      menu: ['view', 2],
      run: toggleTerminal,
    },
    showing('view.files', 'Show files', 'side', () => showSide('files')),
    showing('view.reviews', 'Show pending reviews', 'side', () => {
      showRecord(false)
      showSide('reviews')
    }),
    showing('view.record', 'Show the record of writes', 'side', () => {
      showRecord(true)
      showSide('reviews')
    }),
    showing('view.sessions', 'Show sessions', 'side', () => showSide('sessions')),
    {
      id: 'view.allReviews',
      title: 'Show all reviews',
      menu: ['review', 3],
      run: () => showAllReviews(),
    },
    {
      id: 'view.approvals',
      title: 'Show approvals, their rules and record',
      menu: ['review', 3],
      run: () => showApprovals(),
    },
    showing('view.context', 'Show what agents see', 'panel', () => showPanel('context')),
    showing('view.connections', 'Show connections', 'panel', () => showPanel('connections')),
    showing('view.log', 'Show protocol log', 'panel', () => showPanel('log')),
    {
      id: 'view.settings',
      title: 'Settings',
      keys: ['Mod+,'],
      menu: ['file', 5],
      run: () => openView('settings'),
    },
    {
      id: 'view.settingsFile',
      title: 'Open settings as JSON',
      menu: ['file', 5],
      run: () => void openSettingsFile(),
    },
    {
      id: 'view.keys',
      title: 'Keyboard shortcuts',
      menu: ['file', 5],
      run: () => openView('keys'),
    },
    {
      id: 'view.welcome',
      title: 'Welcome',
      menu: ['help', 1],
      run: () => openView('welcome'),
    },
    {
      id: 'view.moveTerminal',
      title: 'Move terminals to other side',
      menu: ['view', 2],
      run: () => changeInForce('terminalPosition', (now) => (now === 'bottom' ? 'right' : 'bottom')),
    },
    { id: 'folder.open', title: 'Open a folder …', menu: ['file', 1], run: () => void chooseFolder() },
    {
      id: 'folder.recent',
      title: 'Open a recent folder …',
      menu: ['file', 1],
      run: () => folderDialog.setState({ open: true, purpose: 'open' }),
    },
    {
      id: 'folder.add',
      title: 'Add a folder to this window …',
      menu: ['file', 1],
      run: () => void chooseFolder('add'),
    },
    {
      id: 'folder.list',
      title: 'Folders of this window …',
      menu: ['file', 1],
      run: () => foldersDialog.setState({ open: true }),
    },
    {
      id: 'folder.trusted',
      title: 'Trusted folders …',
      menu: ['file', 1],
      run: () => trustDialog.setState({ open: true }),
    },
    {
      id: 'window.new',
      title: 'New window',
      keys: ['Mod+Shift+N'],
      menu: ['file', 0],
      run: () => void openNewWindow(),
    },
    {
      id: 'conversation.new',
      title: 'New conversation',
      menu: ['file', 0],
      run: () => newConversation.setState({ open: true }),
    },
    {
      id: 'tab.close',
      title: 'Close tab',
      menu: ['file', 3],
      keys: ['Mod+W'],
      ...onTab((tab) => {
        // Closing a review rejects it: never one that came to the front just as the key was pressed.
        if (tab.kind !== 'review' || isNoticed(tab)) void closeTab(tab.id)
      }),
    },
    {
      id: 'tab.next',
      title: 'Next tab',
      keys: ['Ctrl+PageDown'],
      repeats: true,
      menu: ['go', 2],
      run: () => send('tabs.step', { by: 1 }),
    },
    {
      id: 'tab.previous',
      title: 'Previous tab',
      menu: ['go', 2],
      keys: ['Ctrl+PageUp'],
      repeats: true,
      run: () => send('tabs.step', { by: -1 }),
    },
  ])
}

function showing(id: string, title: string, pane: string, show: () => void): Command {
  return { id, title, menu: ['view', 1], run: () => enter(pane, show) }
}

function toggleSide(): void {
  const opens = !frameLayout.sideOpen.get()
  const hadFocus = hasFocus('side')
  frameLayout.sideOpen.set(opens)
  frameLayout.narrowView.set(opens ? 'side' : 'main')
  if (!opens && hadFocus) enter('main')
}

/** Opens the terminals and moves the focus there, or shuts them and takes the focus out. */
function toggleTerminal(): void {
  if (frameLayout.terminalOpen.get()) {
    const hadFocus = hasFocus('terminal')
    frameLayout.terminalOpen.set(false)
    if (hadFocus) enter('main')
  } else enter('terminal', showTerminal)
}

function hasFocus(pane: string): boolean {
  return findPane(pane)?.contains(document.activeElement) ?? false
}

/** Shows a pane and moves the focus there once it is in the page. */
function enter(pane: string, show?: () => void): void {
  show?.()
  requestAnimationFrame(() => {
    const element = findPane(pane)
    if (!element || enterPane(element)) return
    // Nothing in it takes the focus yet. Left where it was, the next key would be typed there.
    element.tabIndex = -1
    element.focus()
  })
}
