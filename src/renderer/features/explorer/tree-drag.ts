import { type DragEvent, useRef, useState } from 'react'
import { isWithin } from '../../../shared/text/path-name'
import { isMac } from '../../ui/browser/platform'
import { copyInto, moveInto, parentOf } from './file-actions'
import type { TreeRow } from './tree-rows'
import { chooseOnly, chosenEntries, treeState } from './tree-state'

/** The type of a drag's data: paths of this window's files, as JSON. */
const dragType = 'application/x-greenlight-files'

/** How long something is held over a folder before it opens, in milliseconds. */
const openAfter = 600

/** Dragging lines of the tree onto folders. With Ctrl (Alt on a Mac) they are copied. */
export function useTreeDrag(root: string | null, open: (folder: string) => void) {
  const [over, setOver] = useState<string | null>(null)
  const dragged = useRef<readonly string[]>([])
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined)

  const leave = () => {
    clearTimeout(timer.current)
    setOver(null)
  }
  const folderOf = (row: TreeRow | null): string | null => {
    if (row?.kind !== 'entry') return root
    return row.entry.kind === 'folder' ? row.entry.path : parentOf(row.entry.path)
  }
  const copies = (event: DragEvent) => (isMac ? event.altKey : event.ctrlKey)
  const takes = (folder: string | null, isCopy: boolean) =>
    folder !== null &&
    dragged.current.length > 0 &&
    // Not into itself, and not where it is.
    dragged.current.every((path) => !isWithin(path, folder)) &&
    (isCopy || dragged.current.some((path) => parentOf(path) !== folder))

  return {
    /** The folder that would take what is held over it now. */
    over,
    start(event: DragEvent, row: Extract<TreeRow, { kind: 'entry' }>) {
      const { selected } = treeState.getState()
      if (!selected.has(row.entry.path)) chooseOnly(row.entry.path)
      dragged.current = chosenEntries().map(({ entry }) => entry.path)
      event.dataTransfer.setData(dragType, JSON.stringify(dragged.current))
      event.dataTransfer.effectAllowed = 'copyMove'
    },
    end() {
      dragged.current = []
      leave()
    },
    hold(event: DragEvent, row: TreeRow | null) {
      // What comes from outside is the window's, also when the browser never told the end of an earlier drag.
      if (dragged.current.length === 0 || !isFromTree(event)) return
      event.stopPropagation()
      const folder = folderOf(row)
      const isCopy = copies(event)
      if (folder === null || !takes(folder, isCopy)) return leave()
      event.preventDefault()
      event.dataTransfer.dropEffect = isCopy ? 'copy' : 'move'
      if (folder === over) return
      clearTimeout(timer.current)
      timer.current = setTimeout(() => open(folder), openAfter)
      setOver(folder)
    },
    leave,
    drop(event: DragEvent, row: TreeRow | null) {
      const folder = folderOf(row)
      const isCopy = copies(event)
      const paths = dragged.current
      leave()
      if (!isFromTree(event) || folder === null || !takes(folder, isCopy)) return
      event.preventDefault()
      event.stopPropagation()
      void (isCopy ? copyInto(paths, folder) : moveInto(paths, folder))
    },
  }
}

/** A line that was scrolled out of the page gets no dragend event, so the drag's data is checked too. */
function isFromTree(event: DragEvent): boolean {
  return event.dataTransfer.types.includes(dragType)
}
