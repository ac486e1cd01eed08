import { useEffect, useRef } from 'react'
import { useTabs } from '../../state/tabs'
import { type TreeRoot, type TreeRow, foldersAbove } from './tree-rows'
import { chooseOnly, setExpanded } from './tree-state'

/** The file of the tab that is shown. */
export function useActivePath(): string | null {
  const { tabs, active } = useTabs()
  const shown = tabs.find((tab) => tab.id === active)
  return shown && 'path' in shown ? shown.path : null
}

/** Opens the way to the file that is shown and brings it into sight, once for each file that comes to be shown. */
export function useReveal(
  roots: readonly TreeRoot[],
  separator: string,
  expanded: ReadonlySet<string>,
  rows: readonly TreeRow[],
  scrollTo: (row: number) => void,
): void {
  const active = useActivePath()
  const pending = useRef<string | null>(null)
  useEffect(() => {
    if (active === null || roots.length === 0) return
    const above = foldersAbove(active, roots, separator)
    if (!above) return
    pending.current = active
    const missing = above.filter((folder) => !expanded.has(folder))
    if (missing.length > 0) setExpanded([...expanded, ...missing])
    // Only another file is a reason: what the person shuts afterwards stays shut.
  }, [active, roots, separator])
  useEffect(() => {
    if (pending.current === null) return
    const row = rows.findIndex((other) => other.kind === 'entry' && other.entry.path === pending.current)
    if (row < 0) return
    chooseOnly(pending.current)
    pending.current = null
    scrollTo(row)
  }, [rows, active])
}
