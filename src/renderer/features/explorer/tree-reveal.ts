import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { useActivePath } from '../../state/tabs/tabs-mirror'
import { type TreeRoot, type TreeRow, foldersAbove } from './tree-rows'
import { chooseOnly, setExpanded, shownTree, treeState } from './tree-state'

interface TreeUse {
  /** The focus is in the tree, or its menu, name field or dialog is open. */
  inUse: boolean
  cursor: string | null
}

/** Whether the tree may go to the active file: not away from a place where the person works in the tree. */
export function mayReveal({ inUse, cursor }: TreeUse, path: string): boolean {
  return !inUse || cursor === path
}

function currentUse(): TreeUse {
  const { cursor, menu, naming, deleting } = treeState.getState()
  const hasFocus = shownTree.element?.contains(document.activeElement) ?? false
  return { inUse: hasFocus || menu !== null || naming !== null || deleting.length > 0, cursor }
}

/**
 * Expands the folders above the active file and scrolls to it, once each time another file becomes active. While the
 * person works in the tree it waits until they go to an editor, and is dropped when they go elsewhere.
 */
export function useReveal(
  roots: readonly TreeRoot[],
  separator: string,
  expanded: ReadonlySet<string>,
  rows: readonly TreeRow[],
  scrollTo: (row: number) => void,
): void {
  const active = useActivePath()
  const pending = useRef<string | null>(null)
  /** Counts how often the focus went from the tree to an editor. */
  const [left, setLeft] = useState(0)
  useEffect(() => {
    pending.current = active
  }, [active, roots, separator])
  useEffect(() => {
    const tree = shownTree.element
    const leave = ({ relatedTarget }: FocusEvent) => {
      if (!(relatedTarget instanceof Element) || tree?.contains(relatedTarget)) return
      if (relatedTarget.closest('[data-scope~="editor"]')) setLeft((times) => times + 1)
      else pending.current = null
    }
    tree?.addEventListener('focusout', leave)
    return () => tree?.removeEventListener('focusout', leave)
  }, [])
  const openWay = useEffectEvent(() => {
    const path = pending.current
    const above = path === null || roots.length === 0 ? null : foldersAbove(path, roots, separator)
    if (path === null || !above || !mayReveal(currentUse(), path)) return
    const missing = above.filter((folder) => !expanded.has(folder))
    if (missing.length > 0) setExpanded([...expanded, ...missing])
  })
  // Only for another file: what the person collapses afterwards stays collapsed.
  useEffect(() => openWay(), [active, roots, separator, left])
  useEffect(() => {
    const path = pending.current
    if (path === null || !mayReveal(currentUse(), path)) return
    const row = rows.findIndex((other) => other.kind === 'entry' && other.entry.path === path)
    if (row < 0) return
    chooseOnly(path)
    pending.current = null
    scrollTo(row)
  }, [rows, active, left, scrollTo])
}
