import type { Side } from '../../../../shared/contract/tabs'
import type { Disposable } from '../../../../shared/lifetime'
import { type Command, registerCommands } from '../../../commands/registry'
import { send } from '../../../state/host/calls'
import {
  type CloseManner,
  canBeDrawn,
  closeTabs,
  compareWithRemembered,
  moveToOtherSide,
  pinTab,
  rememberFile,
  rememberedFile,
  reopenTab,
  splitTab,
} from '../../../state/tabs/tab-actions'
import { activeTab, shownTab, tabAt } from '../../../state/tabs/tabs-mirror'
import { enterPane } from '../pane-cycle'

/** Makes the commands on tabs known until disposed. */
export function registerTabCommands(): Disposable {
  return registerCommands([
    {
      id: 'tab.reopen',
      title: 'Reopen closed tab',
      menu: ['file', 3],
      keys: ['Mod+Shift+T'],
      run: reopenTab,
    },
    {
      id: 'tab.keep',
      title: 'Keep tab open',
      menu: ['view', 4],
      when: () => {
        const tab = activeTab()
        return tab?.kind === 'file' && tab.preview
      },
      run: () => {
        const tab = activeTab()
        if (tab) send('tabs.keep', { id: tab.id })
      },
    },
    {
      id: 'tab.pin',
      title: 'Pin or unpin tab',
      menu: ['view', 4],
      when: hasTab,
      run: (target) => {
        const tab = tabAt(target)
        if (tab) pinTab(tab)
      },
    },
    closing('others', 'Close other tabs'),
    closing('right', 'Close tabs to the right'),
    closing('saved', 'Close saved tabs'),
    {
      id: 'view.split',
      title: 'Split right',
      menu: ['view', 4],
      keys: ['Mod+\\'],
      when: hasTab,
      run: (target) => {
        const tab = tabAt(target)
        if (tab) void splitTab(tab)
      },
    },
    {
      id: 'view.moveToOtherSide',
      title: 'Move tab to other side',
      menu: ['view', 4],
      when: hasTab,
      run: (target) => {
        const tab = tabAt(target)
        if (tab) void moveToOtherSide(tab)
      },
    },
    {
      id: 'view.leftSide',
      title: 'Go to left side',
      menu: ['go', 1],
      keys: ['Mod+1'],
      run: () => enterSide('left'),
    },
    {
      id: 'view.rightSide',
      title: 'Go to right side',
      menu: ['go', 1],
      keys: ['Mod+2'],
      when: () => shownTab('right') !== null,
      run: () => enterSide('right'),
    },
    {
      id: 'file.preview',
      title: 'Show preview (Markdown, SVG)',
      menu: ['view', 5],
      keys: ['Mod+Shift+V'],
      when: (target) => {
        const tab = tabAt(target)
        return tab?.kind === 'file' && canBeDrawn(tab.path)
      },
      run: (target) => {
        const tab = tabAt(target)
        if (tab?.kind === 'file') send('tabs.openRendered', { path: tab.path })
      },
    },
    comparing('head', 'Compare with HEAD'),
    comparing('saved', 'Compare with saved'),
    {
      id: 'file.rememberForComparing',
      title: 'Select this file for compare',
      menu: ['view', 5],
      when: (target) => tabAt(target)?.kind === 'file',
      run: (target) => {
        const tab = tabAt(target)
        if (tab?.kind === 'file') rememberFile(tab)
      },
    },
    {
      id: 'file.compareWithFile',
      title: 'Compare with selected file',
      menu: ['view', 5],
      when: (target) => {
        const tab = tabAt(target)
        const { path } = rememberedFile.getState()
        return tab?.kind === 'file' && path !== null && path !== tab.path
      },
      run: (target) => {
        const tab = tabAt(target)
        if (tab?.kind === 'file') compareWithRemembered(tab.path)
      },
    },
  ])
}

const hasTab = () => activeTab() !== null

function closing(manner: CloseManner, title: string): Command {
  return {
    id: `tab.close${manner === 'others' ? 'Others' : manner === 'right' ? 'ToTheRight' : 'Saved'}`,
    title,
    menu: ['file', 3],
    when: hasTab,
    run: (target) => {
      const tab = tabAt(target)
      if (tab) void closeTabs(tab, manner)
    },
  }
}

function comparing(kind: 'head' | 'saved', title: string): Command {
  return {
    id: kind === 'head' ? 'file.compareWithHead' : 'file.compareWithSaved',
    title,
    menu: ['view', 5],
    when: (target) => tabAt(target)?.kind === 'file',
    run: (target) => {
      const tab = tabAt(target)
      if (tab?.kind === 'file') send('tabs.openCompared', { path: tab.path, against: { kind } })
    },
  }
}

/** Puts the focus into what a side shows. */
function enterSide(side: Side): void {
  const element = document.querySelector<HTMLElement>(`[data-side="${side}"]`)
  if (element) enterPane(element)
}
