import { createStore } from 'zustand/vanilla'
import { defineLayoutValue } from '../../state/window/kept-layout'
import type { TreeRow } from './tree-rows'

/** The field in which a name is being typed: of something new, or of a line of the tree. */
export type Naming =
  | { kind: 'create'; folder: string; what: 'file' | 'folder' }
  | { kind: 'rename'; path: string; name: string }

/** What the person is about to do with files, as the tree shows it. */
export interface TreeState {
  /** Where the person is: an entry's path. */
  cursor: string | null
  /** More than one line chosen; empty when only the cursor's counts. */
  selected: ReadonlySet<string>
  /** From where a stretch of lines is chosen. */
  anchor: string | null
  naming: Naming | null
  /** Files that were cut or copied. */
  clipboard: { how: 'cut' | 'copy'; paths: readonly string[] } | null
  /** What the person is asked about before it is gone; `refused` once the trash has not taken it. */
  deleting: { paths: readonly string[]; refused: readonly string[] } | null
  /** Where the menu of the chosen lines stands. */
  menu: { x: number; y: number } | null
}

/** The tree's own state; the explorer's commands and its lines share it. */
export const treeState = createStore<TreeState>()(() => ({
  cursor: null,
  selected: new Set(),
  anchor: null,
  naming: null,
  clipboard: null,
  deleting: null,
  menu: null,
}))

const mostKept = 1000

/** Which folders are open; null until the person has opened or shut one, and then all roots are. */
export const expandedFolders = defineLayoutValue<readonly string[] | null>('files.expanded', (stored) =>
  Array.isArray(stored) ? stored.filter((path): path is string => typeof path === 'string') : null,
)

/** Opens and shuts folders; the last ones are remembered. */
export function setExpanded(folders: Iterable<string>): void {
  expandedFolders.set([...folders].slice(-mostKept))
}

/** The lines as they are shown now, and the element that has the focus for them. Written by the tree. */
export const shownTree: { rows: readonly TreeRow[]; element: HTMLElement | null } = {
  rows: [],
  element: null,
}

/** Puts the focus on the tree, which leads its lines. */
export function focusTree(): void {
  shownTree.element?.focus()
}

/** The entries that a command is for: the chosen lines, or the one where the person is. In the tree's order. */
export function chosenEntries(): Extract<TreeRow, { kind: 'entry' }>[] {
  const { cursor, selected } = treeState.getState()
  const isChosen = (path: string) =>
    cursor !== null && selected.has(cursor) ? selected.has(path) : path === cursor
  return shownTree.rows.filter(
    (row): row is Extract<TreeRow, { kind: 'entry' }> => row.kind === 'entry' && isChosen(row.entry.path),
  )
}

/** Chooses one line alone. */
export function chooseOnly(path: string | null): void {
  treeState.setState({ cursor: path, selected: new Set(), anchor: path })
}

/** Adds a line to the chosen ones, or takes it out. */
export function chooseAlso(path: string): void {
  const { cursor, selected } = treeState.getState()
  const next = new Set(selected.size > 0 || cursor === null ? selected : [cursor])
  if (!next.delete(path)) next.add(path)
  treeState.setState({ cursor: path, selected: next, anchor: path })
}

/** Chooses all lines from the anchor to this one. */
export function chooseUpTo(path: string): void {
  const { cursor, anchor } = treeState.getState()
  const from = anchor ?? cursor ?? path
  const paths = shownTree.rows.flatMap((row) => (row.kind === 'entry' ? [row.entry.path] : []))
  const [one, other] = [paths.indexOf(from), paths.indexOf(path)]
  const stretch = one < 0 || other < 0 ? [path] : paths.slice(Math.min(one, other), Math.max(one, other) + 1)
  treeState.setState({ cursor: path, selected: new Set(stretch), anchor: from })
}
