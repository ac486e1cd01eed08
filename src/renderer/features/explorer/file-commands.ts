import { registerCommands, type Command } from '../../commands/registry'
import type { Disposable } from '../../../shared/lifetime'
import { showSide } from '../../state/window/frame-layout'
import { readMirror } from '../../state/host/mirror'
import { activeTab, pathOf } from '../../state/tabs/tabs-mirror'
import { windowMirror } from '../../state/window/window-mirror'
import { announce } from '../../ui/browser/live-region'
import { isMac } from '../../ui/browser/platform'
import {
  canUndoMove,
  copyInto,
  copyPaths,
  duplicate,
  moveInto,
  openFolder,
  parentOf,
  reveal,
  subjectOf,
  undoMove,
} from './file-actions'
import { askToDelete, chosenEntries, treeState } from './tree-state'

/** The tree's menu: ids of commands, in groups with a line between them. */
export const menuGroups: readonly (readonly string[])[] = [
  ['files.newFile', 'files.newFolder'],
  ['files.cut', 'files.copy', 'files.paste', 'files.duplicate'],
  ['files.rename', 'files.delete'],
  ['files.copyPath', 'files.copyRelativePath', 'files.reveal'],
]

const fileManager = isMac ? 'Show in Finder' : 'Show in file manager'

/** The explorer's commands; they act on the selected lines of the tree. */
const fileCommands: readonly Command[] = [
  {
    id: 'files.newFile',
    title: 'New file',
    menu: ['file', 0],
    when: hasFolder,
    run: () => startCreating('file'),
  },
  {
    id: 'files.newFolder',
    title: 'New folder',
    menu: ['file', 0],
    when: hasFolder,
    run: () => startCreating('folder'),
  },
  {
    id: 'files.undoMove',
    title: 'Undo file move',
    menu: ['file', 0],
    when: canUndoMove,
    run: () => void undoMove(),
  },
  scoped({ id: 'files.rename', title: 'Rename', keys: ['F2'], when: isOne, run: startRenaming }),
  scoped({
    id: 'files.delete',
    title: 'Move to trash',
    keys: isMac ? ['Mod+Backspace', 'Delete'] : ['Delete'],
    when: isAny,
    run: () => askToDelete(chosenPaths()),
  }),
  scoped({ id: 'files.cut', title: 'Cut', keys: ['Mod+X'], when: isAny, run: () => take('cut') }),
  scoped({ id: 'files.copy', title: 'Copy', keys: ['Mod+C'], when: isAny, run: () => take('copy') }),
  scoped({ id: 'files.paste', title: 'Paste', keys: ['Mod+V'], when: hasClipboard, run: paste }),
  scoped({
    id: 'files.duplicate',
    title: 'Duplicate',
    when: isAny,
    run: () => void duplicate(chosenPaths()),
  }),
  scoped({
    id: 'files.copyPath',
    title: 'Copy path',
    keys: ['Shift+Alt+C'],
    when: isAny,
    run: () => void copyPaths(chosenPaths(), 'whole'),
  }),
  scoped({
    id: 'files.copyRelativePath',
    title: 'Copy relative path',
    when: isAny,
    run: () => void copyPaths(chosenPaths(), 'relative'),
  }),
  scoped({
    id: 'files.reveal',
    title: fileManager,
    when: isOne,
    run: () => {
      const [path] = chosenPaths()
      if (path !== undefined) reveal(path)
    },
  }),
  // The same for the file of the active tab, wherever the focus is.
  {
    id: 'file.copyPath',
    title: 'Copy path of the open file',
    menu: ['file', 4],
    ...onActivePath((path) => void copyPaths([path], 'whole')),
  },
  {
    id: 'file.reveal',
    title: `${fileManager}: the open file`,
    menu: ['file', 4],
    ...onActivePath(reveal),
  },
]

/** Registers the explorer's commands until disposed. */
export function registerFileCommands(): Disposable {
  return registerCommands(fileCommands)
}

/** Where something new or pasted goes: the selected folder, or the one that holds the selected file. */
function chosenFolder(): string | null {
  const row = chosenEntries().at(-1)
  if (row) return row.entry.kind === 'folder' ? row.entry.path : parentOf(row.entry.path)
  return readMirror(windowMirror)?.folders[0]?.path ?? null
}

/** A command of the tree. While a name is typed, its keys belong to the field. */
function scoped(command: Command): Command {
  const { when } = command
  return {
    ...command,
    scope: 'files',
    when: (target) => target?.tagName !== 'INPUT' && (when?.(target) ?? true),
  }
}

function chosenPaths(): string[] {
  return chosenEntries().map(({ entry }) => entry.path)
}

function isAny(): boolean {
  return chosenEntries().length > 0
}

function isOne(): boolean {
  return chosenEntries().length === 1
}

function hasFolder(): boolean {
  return chosenFolder() !== null
}

function hasClipboard(): boolean {
  return treeState.getState().clipboard !== null && hasFolder()
}

function onActivePath(run: (path: string) => void): Pick<Command, 'when' | 'run'> {
  return {
    when: () => pathOf(activeTab()) !== null,
    run: () => run(pathOf(activeTab()) ?? ''),
  }
}

function startCreating(what: 'file' | 'folder'): void {
  const folder = chosenFolder()
  if (folder === null) return
  showSide('files')
  openFolder(folder)
  treeState.setState({ naming: { kind: 'create', folder, what } })
}

function startRenaming(): void {
  const entry = chosenEntries()[0]?.entry
  if (entry) treeState.setState({ naming: { kind: 'rename', path: entry.path, name: entry.name } })
}

function take(how: 'cut' | 'copy'): void {
  const paths = chosenPaths()
  treeState.setState({ clipboard: { how, paths } })
  announce(`${subjectOf(paths)} ${how === 'cut' ? 'cut' : 'copied'}. Paste into a folder.`)
}

function paste(): void {
  const { clipboard } = treeState.getState()
  const folder = chosenFolder()
  if (!clipboard || folder === null) return
  if (clipboard.how === 'copy') {
    void copyInto(clipboard.paths, folder)
    return
  }
  treeState.setState({ clipboard: null })
  void moveInto(clipboard.paths, folder)
}
