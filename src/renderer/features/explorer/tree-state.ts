import { createStore } from 'zustand/vanilla'
import { defineLayoutValue } from '../../state/window/kept-layout'
import type { TreeRow } from './tree-rows'

/** The open name field: for something new, or to rename a line. */
type Naming =
  | { kind: 'create'; folder: string; what: 'file' | 'folder' }
  | { kind: 'rename'; path: string; name: string }

/** A question about deleting; `refused` has the reasons if the trash has refused the files. */
interface Deleting {
  id: number
  paths: readonly string[]
  refused: readonly string[]
}

interface TreeState {
  /** The path of the cursor's entry. */
  cursor: string | null
  /** Paths of the selected lines; empty when only the cursor's line is selected. */
  selected: ReadonlySet<string>
  /** Where a range selection starts. */
  anchor: string | null
  naming: Naming | null
  /** Files that were cut or copied. */
  clipboard: { how: 'cut' | 'copy'; paths: readonly string[] } | null
  /** What the person is asked about deleting, and what is still to be asked. */
  deleting: readonly Deleting[]
  /** Where the context menu is open. */
  menu: { x: number; y: number } | null
}

/** The tree's state, shared by its lines and commands. */
export const treeState = createStore<TreeState>()(() => ({
  cursor: null,
  selected: new Set(),
  anchor: null,
  naming: null,
  clipboard: null,
  deleting: [],
  menu: null,
}))

const mostKept = 1000

/** The expanded folders; null, meaning all roots, until the person has expanded or collapsed one. */
export const expandedFolders = defineLayoutValue<readonly string[] | null>('files.expanded', (stored) =>
  Array.isArray(stored) ? stored.filter((path): path is string => typeof path === 'string') : null,
)

/** Sets the expanded folders; keeps the last ones of too many. */
export function setExpanded(folders: Iterable<string>): void {
  expandedFolders.set([...folders].slice(-mostKept))
}

/** The lines as shown now, and the element that has the focus for them. Written by the tree. */
export const shownTree: { rows: readonly TreeRow[]; element: HTMLElement | null } = {
  rows: [],
  element: null,
}

/** Focuses the tree. */
export function focusTree(): void {
  shownTree.element?.focus()
}

/** The entries that a command acts on: the selected lines, or the cursor's. In the tree's order. */
export function chosenEntries(): Extract<TreeRow, { kind: 'entry' }>[] {
  const { cursor, selected } = treeState.getState()
  const isChosen = (path: string) =>
    cursor !== null && selected.has(cursor) ? selected.has(path) : path === cursor
  return shownTree.rows.filter(
    (row): row is Extract<TreeRow, { kind: 'entry' }> => row.kind === 'entry' && isChosen(row.entry.path),
  )
}

/** Selects one line alone. */
export function chooseOnly(path: string | null): void {
  treeState.setState({ cursor: path, selected: new Set(), anchor: path })
}

/** Selects one line alone once a change is made, unless the person has gone to another one since this was called. */
export function chooseAfterwards(): (path: string | null) => void {
  const { cursor } = treeState.getState()
  return (path) => {
    if (treeState.getState().cursor === cursor) chooseOnly(path)
  }
}

let questions = 0

/** Asks about deleting, once all that was asked before is answered. */
export function askToDelete(paths: readonly string[], refused: readonly string[] = []): void {
  const question = { id: ++questions, paths, refused }
  treeState.setState(({ deleting }) => ({ deleting: [...deleting, question] }))
}

/** Ends the question that the person is asked about deleting. */
export function endDeleting(): void {
  treeState.setState(({ deleting }) => ({ deleting: deleting.slice(1) }))
}

/** Adds a line to the selection, or removes it. */
export function chooseAlso(path: string): void {
  const { cursor, selected } = treeState.getState()
  const next = new Set(selected.size > 0 || cursor === null ? selected : [cursor])
  if (!next.delete(path)) next.add(path)
  treeState.setState({ cursor: path, selected: next, anchor: path })
}

/** Selects all lines from the anchor to this one. */
export function chooseUpTo(path: string): void {
  const { cursor, anchor } = treeState.getState()
  const from = anchor ?? cursor ?? path
  const paths = shownTree.rows.flatMap((row) => (row.kind === 'entry' ? [row.entry.path] : []))
  const [one, other] = [paths.indexOf(from), paths.indexOf(path)]
  const stretch = one < 0 || other < 0 ? [path] : paths.slice(Math.min(one, other), Math.max(one, other) + 1)
  treeState.setState({ cursor: path, selected: new Set(stretch), anchor: from })
}
