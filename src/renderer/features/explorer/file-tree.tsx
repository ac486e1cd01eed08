import { useVirtualizer } from '@tanstack/react-virtual'
import { ChevronsDownUp, File, FilePlus2, Folder, FolderOpen, FolderPlus, Folders } from 'lucide-react'
import {
  type KeyboardEvent,
  type MouseEvent,
  useEffect,
  useId,
  useMemo,
  useRef,
  useEffectEvent,
  useCallback,
} from 'react'
import { useStore } from 'zustand'
import { runCommand } from '../../commands/registry'
import { lookForRepositories, useGitMarks } from '../../state/files/git-mirror'
import { useLayoutLoaded } from '../../state/window/kept-layout'
import { useLink } from '../../state/host/link'
import { useActivePath } from '../../state/tabs/tabs-mirror'
import { openFile } from '../../state/tabs/wanted-file'
import { useAskingAgents } from '../../state/reviews/reviews-mirror'
import { useWindow } from '../../state/window/window-mirror'
import { chooseFolder, foldersDialog } from '../../state/window/window-actions'
import { Button } from '../../ui/controls/button'
import { EmptyState } from '../../ui/layout/empty-state'
import { IconButton } from '../../ui/controls/icon-button'
import { PaneHeader } from '../../ui/layout/pane-header'
import { plainName } from '../../ui/wording/plain-name'
import { useLongWait } from '../../ui/layout/skeleton'
import { DeleteDialog } from './delete-dialog'
import { directories, wantDirectories } from './directory-mirrors'
import { createHere, renameTo } from './file-actions'
import { FileMenu } from './file-menu'
import { NameField } from './name-field'
import { useTreeDrag } from './tree-drag'
import { TreeEntry } from './tree-entry'
import { useReveal } from './tree-reveal'
import { type TreeRoot, type TreeRow, findByTyping, layOutTree, moveInTree } from './tree-rows'
import {
  chooseAlso,
  chooseOnly,
  chooseUpTo,
  expandedFolders,
  focusTree,
  setExpanded,
  shownTree,
  treeState,
} from './tree-state'
import '../../ui/layout/list-row.css'
import './file-tree.css'

const rowHeight = 24
/** Letters typed within this many milliseconds form one word. */
const typingPause = 700

const noRoots: readonly TreeRoot[] = []

/** The side bar's files: a header and the tree. */
export function FileTree() {
  const facts = useWindow()
  const roots = facts?.folders ?? noRoots
  const [only] = roots
  return (
    <section className="fills" aria-label="File tree">
      <PaneHeader title={roots.length === 1 && only ? plainName(only.name) : 'Files'}>
        {roots.length === 0 ? null : (
          <>
            <IconButton
              label="New file"
              icon={<FilePlus2 />}
              onClick={() => runCommand('files.newFile', null)}
            />
            <IconButton
              label="New folder"
              icon={<FolderPlus />}
              onClick={() => runCommand('files.newFolder', null)}
            />
          </>
        )}
        <IconButton
          label="Folders of this window"
          icon={<Folders />}
          onClick={() => foldersDialog.setState({ open: true })}
        />
        {roots.length === 0 ? null : (
          <IconButton
            label="Collapse all folders"
            icon={<ChevronsDownUp />}
            onClick={() => expandedFolders.set([])}
          />
        )}
      </PaneHeader>
      {facts !== null && roots.length === 0 ? (
        <EmptyState
          icon={<FolderOpen />}
          title="No folder is open"
          action={
            <Button size="small" onClick={() => void chooseFolder()}>
              Open a folder …
            </Button>
          }
        />
      ) : (
        <Tree roots={roots} separator={facts?.platform === 'win32' ? '\\' : '/'} />
      )}
      <FileMenu />
      <DeleteDialog />
    </section>
  )
}

function Tree({ roots, separator }: { roots: readonly TreeRoot[]; separator: string }) {
  const id = useId()
  const scroller = useRef<HTMLDivElement>(null)
  const kept = expandedFolders.use()
  const isLoaded = useLayoutLoaded()
  const known = useStore(directories, (state) => state.known)
  const { cursor, selected, naming, clipboard } = useStore(treeState)
  const agents = useAskingAgents()
  const marks = useGitMarks()
  const active = useActivePath()
  const expanded = useMemo(() => new Set(kept ?? roots.map((root) => root.path)), [kept, roots])
  const draft = naming?.kind === 'create' ? naming : null
  const { rows, wanted } = useMemo(
    () => layOutTree(roots, expanded, known, draft),
    [roots, expanded, known, draft],
  )
  const typed = useRef({ word: '', at: 0 })
  const [onlyRoot] = roots
  const drag = useTreeDrag(roots.length === 1 && onlyRoot ? onlyRoot.path : null, (folder) =>
    setExpanded(new Set([...expanded, folder])),
  )
  shownTree.rows = rows

  const wantThem = useEffectEvent(() => wantDirectories(wanted))
  const wantedKey = [...wanted].join('\n')
  useEffect(() => {
    if (isLoaded) wantThem()
  }, [wantedKey, isLoaded])
  useEffect(() => () => wantDirectories(new Set()), [])
  useEffect(() => {
    shownTree.element = scroller.current
    return () => void (shownTree.element = null)
  }, [])

  const cursorAt = useMemo(() => rows.findIndex((row) => keyOf(row) === cursor), [rows, cursor])
  const at = Math.max(0, cursorAt)
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => rowHeight,
    overscan: 12,
    getItemKey: (index) => keyOf(rows[index]) ?? index,
  })
  const inSight = virtual.getVirtualItems().flatMap(({ index }) => {
    const row = rows[index]
    return row?.kind === 'entry' && row.expanded !== null && !row.entry.symlink ? [row.entry.path] : []
  })
  const { state: linkState } = useLink()
  const lookIntoThem = useEffectEvent(() => lookForRepositories(inSight))
  const inSightKey = inSight.join('\n')
  useEffect(() => {
    if (linkState === 'live') lookIntoThem()
  }, [inSightKey, linkState])
  const scrollTo = useCallback((row: number) => virtual.scrollToIndex(row, { align: 'auto' }), [virtual])

  const draftAt = draft ? rows.findIndex((row) => row.kind === 'draft') : -1
  useEffect(() => {
    if (draftAt >= 0) scrollTo(draftAt)
  }, [draftAt, scrollTo])
  useReveal(roots, separator, expanded, rows, scrollTo)

  const toggle = (path: string, open: boolean) =>
    setExpanded(open ? [...expanded, path] : [...expanded].filter((other) => other !== path))
  const goTo = (row: number, isStretch: boolean) => {
    const key = keyOf(rows[row])
    if (isStretch && key !== null && rows[row]?.kind === 'entry') chooseUpTo(key)
    else chooseOnly(key)
    scrollTo(row)
  }
  const activate = (row: TreeRow | undefined, how: 'preview' | 'keep') => {
    if (row?.kind !== 'entry') return
    chooseOnly(row.entry.path)
    if (row.expanded !== null) toggle(row.entry.path, !row.expanded)
    else if (row.entry.kind === 'file') {
      void openFile(row.entry.path, { preview: how === 'preview', focus: how === 'keep' })
    }
  }
  const press = (event: MouseEvent, row: Extract<TreeRow, { kind: 'entry' }>) => {
    if (event.shiftKey) chooseUpTo(row.entry.path)
    else if (event.ctrlKey || event.metaKey) chooseAlso(row.entry.path)
    else activate(row, 'preview')
  }
  const showMenu = (row: TreeRow | null, x: number, y: number) => {
    if (row?.kind === 'entry' && !selected.has(row.entry.path)) chooseOnly(row.entry.path)
    else if (!row) chooseOnly(null)
    treeState.setState({ menu: { x, y } })
  }
  /** From the keyboard: beside the cursor's line. */
  const showMenuAtCursor = () => {
    const line = document.getElementById(`${id}-${at}`)?.getBoundingClientRect()
    const place = line ?? scroller.current?.getBoundingClientRect()
    const row = rows[at]
    showMenu(row ?? null, (place?.left ?? 0) + 24, line?.bottom ?? place?.top ?? 0)
  }

  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'ContextMenu' || (event.key === 'F10' && event.shiftKey)) {
      showMenuAtCursor()
      event.preventDefault()
      return
    }
    if (event.ctrlKey || event.metaKey || event.altKey) return
    const page = Math.max(1, Math.floor((scroller.current?.clientHeight ?? 0) / rowHeight) - 1)
    const move = moveInTree(event.key, rows, at, page)
    // Moving ends the word.
    if (move) typed.current = { word: '', at: 0 }
    if (move?.kind === 'go') goTo(move.row, event.shiftKey)
    else if (move) toggle(move.path, move.kind === 'expand')
    else if (event.key === 'Enter') activate(rows[at], 'keep')
    else if (event.key === ' ' && !isTyping(typed.current)) activate(rows[at], 'preview')
    else if (event.key === 'Escape') {
      treeState.setState({ selected: new Set(), clipboard: clipboard?.how === 'cut' ? null : clipboard })
    } else if (event.key.length === 1) {
      typed.current = {
        word: isTyping(typed.current) ? typed.current.word + event.key : event.key,
        at: Date.now(),
      }
      const found = findByTyping(rows, at, typed.current.word)
      if (found !== null) goTo(found, false)
    } else return
    event.preventDefault()
  }

  const endNaming = () => {
    const hadFocus = scroller.current?.contains(document.activeElement) ?? false
    treeState.setState({ naming: null })
    // The field had the focus, unless the person pressed elsewhere.
    if (hadFocus && document.activeElement !== scroller.current) focusTree()
  }
  const isCut = (path: string) => clipboard?.how === 'cut' && clipboard.paths.includes(path)
  const activeRow = rows[at]
  const isWaiting = rows.length === 0 && roots.length > 0
  return (
    <div
      ref={scroller}
      className={`list-rows scrolls file-tree ${drag.over !== null && drag.over === onlyRoot?.path ? 'tree-drop' : ''}`}
      role="tree"
      aria-label="Files"
      aria-multiselectable="true"
      tabIndex={0}
      data-scope="files"
      aria-activedescendant={activeRow && naming === null ? `${id}-${at}` : undefined}
      onKeyDown={onKeyDown}
      // A double press would select the words under it.
      onMouseDown={(event) => event.detail > 1 && event.preventDefault()}
      onContextMenu={(event) => {
        event.preventDefault()
        const line = event.target instanceof Element ? event.target.closest('[role="treeitem"]') : null
        // The keyboard's event comes to the tree itself and has been handled already.
        if (event.button !== 2) return
        const index = line ? Number(line.id.slice(id.length + 1)) : -1
        showMenu(rows[index] ?? null, event.clientX, event.clientY)
      }}
      onDragOver={(event) => drag.hold(event, null)}
      onDragLeave={(event) => event.target === event.currentTarget && drag.leave()}
      onDrop={(event) => drag.drop(event, null)}
    >
      <WaitingLine waiting={isWaiting} />
      <div role="presentation" style={{ height: virtual.getTotalSize() }}>
        {virtual.getVirtualItems().map((item) => {
          const row = rows[item.index]
          if (!row) return null
          const place = { transform: `translateY(${item.start}px)`, paddingLeft: 4 + (row.level - 1) * 12 }
          const isCursor = item.index === at && naming === null
          const lineId = `${id}-${item.index}`
          if (row.kind === 'sentence') {
            return (
              <div
                key={item.key}
                id={lineId}
                className={`list-row tree-sentence one-line aside tree-sentence-${row.tone} ${isCursor ? 'list-cursor' : ''}`}
                role="treeitem"
                aria-level={row.level}
                aria-disabled="true"
                aria-selected="false"
                title={row.text}
                style={place}
              >
                {row.text}
              </div>
            )
          }
          if (row.kind === 'draft') {
            return (
              <div key={item.key} className="list-row" role="none" style={place}>
                <span className="list-icon">
                  {row.what === 'file' ? <File aria-hidden="true" /> : <Folder aria-hidden="true" />}
                </span>
                <NameField
                  label={row.what === 'file' ? 'Name of the new file' : 'Name of the new folder'}
                  name=""
                  isFolder={row.what === 'folder'}
                  onName={(name, isHere) => createHere(row.folder, name, row.what, isHere)}
                  onEnd={endNaming}
                />
              </div>
            )
          }
          const { path, name } = row.entry
          const isNamed = naming?.kind === 'rename' && naming.path === path
          return (
            <TreeEntry
              key={item.key}
              id={lineId}
              row={row}
              style={place}
              is={{
                cursor: isCursor,
                active: active === path,
                chosen: selected.has(path),
                cut: isCut(path) === true,
                dropped: drag.over === path,
              }}
              agent={agents.get(path)}
              mark={marks.of(path)}
              repository={row.expanded === null ? null : marks.ownAt(path)}
              naming={
                isNamed ? (
                  <NameField
                    label={`New name of ${plainName(name)}`}
                    name={name}
                    isFolder={row.entry.kind === 'folder'}
                    onName={(next) => renameTo(path, next)}
                    onEnd={endNaming}
                  />
                ) : null
              }
              onClick={(event) => press(event, row)}
              onDoubleClick={() => row.expanded === null && activate(row, 'keep')}
              onDragStart={(event) => drag.start(event, row)}
              onDragEnd={drag.end}
              onDragOver={(event) => drag.hold(event, row)}
              onDrop={(event) => drag.drop(event, row)}
            />
          )
        })}
      </div>
    </div>
  )
}

function WaitingLine({ waiting }: { waiting: boolean }) {
  const long = useLongWait(waiting)
  return long ? <div className="list-row tree-sentence one-line aside">Reading …</div> : null
}

function keyOf(row: TreeRow): string
function keyOf(row: TreeRow | undefined): string | null
function keyOf(row: TreeRow | undefined): string | null {
  if (!row) return null
  if (row.kind === 'draft') return `${row.folder}\ndraft`
  return row.kind === 'entry' ? row.entry.path : `${row.folder}\n${row.text}`
}

function isTyping(typed: { word: string; at: number }): boolean {
  return typed.word !== '' && Date.now() - typed.at < typingPause
}
