import type { Side } from '../../../../shared/contract/tabs'
import type { Disposable } from '../../../../shared/lifetime'
import { onFile, onTab } from '../../../commands/on-tab'
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
import { shownTab } from '../../../state/tabs/tabs-mirror'
import { enterPane } from '../pane-cycle'

/** Registers the commands on tabs until disposed. */
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
      ...onFile(
        ({ id }) => send('tabs.keep', { id }),
        ({ preview }) => preview,
      ),
    },
    { id: 'tab.pin', title: 'Pin or unpin tab', menu: ['view', 4], ...onTab(pinTab) },
    closing('tab.closeOthers', 'Close other tabs', 'others'),
    closing('tab.closeToTheRight', 'Close tabs to the right', 'right'),
    closing('tab.closeSaved', 'Close saved tabs', 'saved'),
    {
      id: 'view.split',
      title: 'Split right',
      menu: ['view', 4],
      keys: ['Mod+\\'],
      ...onTab((tab) => void splitTab(tab)),
    },
    {
      id: 'view.moveToOtherSide',
      title: 'Move tab to other side',
      menu: ['view', 4],
      ...onTab((tab) => void moveToOtherSide(tab)),
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
      ...onFile(
        ({ path }) => send('tabs.openRendered', { path }),
        ({ path }) => canBeDrawn(path),
      ),
    },
    comparing('file.compareWithHead', 'Compare with HEAD', 'head'),
    comparing('file.compareWithSaved', 'Compare with saved', 'saved'),
    {
      id: 'file.rememberForComparing',
      title: 'Select this file for compare',
      menu: ['view', 5],
      ...onFile(rememberFile),
    },
    {
      id: 'file.compareWithFile',
      title: 'Compare with selected file',
      menu: ['view', 5],
      ...onFile(
        ({ path }) => compareWithRemembered(path),
        ({ path }) => ![null, path].includes(rememberedFile.getState().path),
      ),
    },
  ])
}

function closing(id: string, title: string, manner: CloseManner): Command {
  return { id, title, menu: ['file', 3], ...onTab((tab) => void closeTabs(tab, manner)) }
}

function comparing(id: string, title: string, kind: 'head' | 'saved'): Command {
  return {
    id,
    title,
    menu: ['view', 5],
    ...onFile(({ path }) => send('tabs.openCompared', { path, against: { kind } })),
  }
}

/** Moves the focus into what a side shows. */
function enterSide(side: Side): void {
  const element = document.querySelector<HTMLElement>(`[data-side="${side}"]`)
  if (element) enterPane(element)
}
