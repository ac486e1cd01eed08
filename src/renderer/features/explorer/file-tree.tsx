import { useVirtualizer } from '@tanstack/react-virtual'
import { ChevronRight, ChevronsDownUp, FolderPlus, SquareArrowOutUpRight } from 'lucide-react'
import { type KeyboardEvent, useEffect, useId, useMemo, useRef, useState } from 'react'
import { useStore } from 'zustand'
import { defineLayoutValue, useLayoutLoaded } from '../../state/layout'
import { openFile } from '../../state/open-file'
import { usePendingReviews } from '../../state/reviews'
import { useTabs } from '../../state/tabs'
import { useWindow } from '../../state/window'
import { foldersDialog } from '../../state/window-actions'
import { AgentDot } from '../../ui/agent-dot'
import { FileIcon } from '../../ui/file-icon'
import { IconButton } from '../../ui/icon-button'
import { PaneHeader } from '../../ui/pane-header'
import { plainName } from '../../ui/plain-name'
import { useLongWait } from '../../ui/skeleton'
import { directories, wantDirectories } from './directory-mirrors'
import { type TreeRoot, type TreeRow, findByTyping, foldersAbove, layOutTree, moveInTree } from './tree-rows'
import './file-tree.css'

const mostKept = 1000
const rowHeight = 24
/** Letters typed within this many milliseconds are one word. */
const typingPause = 700

/** Which folders are open; null until the person has opened or shut one, and then all roots are. */
const expandedFolders = defineLayoutValue<readonly string[] | null>('files.expanded', (stored) =>
  Array.isArray(stored) ? stored.filter((path): path is string => typeof path === 'string') : null,
)

const noRoots: readonly TreeRoot[] = []

/** The side bar's files: a header and the tree. */
export function FileTree() {
  const facts = useWindow()
  const roots = facts?.folders ?? noRoots
  const [only] = roots
  return (
    <section className="file-tree-view" aria-label="File tree">
      <PaneHeader title={roots.length === 1 && only ? plainName(only.name) : 'Files'}>
        <IconButton
          label="Folders of this window"
          icon={<FolderPlus />}
          size="small"
          onClick={() => foldersDialog.setState({ open: true })}
        />
        <IconButton
          label="Collapse all folders"
          icon={<ChevronsDownUp />}
          size="small"
          onClick={() => expandedFolders.set([])}
        />
      </PaneHeader>
      <Tree roots={roots} separator={facts?.platform === 'win32' ? '\\' : '/'} />
    </section>
  )
}

function Tree({ roots, separator }: { roots: readonly TreeRoot[]; separator: string }) {
  const id = useId()
  const scroller = useRef<HTMLDivElement>(null)
  const kept = expandedFolders.use()
  const isLoaded = useLayoutLoaded()
  const known = useStore(directories, (state) => state.known)
  const agents = new Map(usePendingReviews().map((review) => [review.path, review.agent]))
  const expanded = useMemo(() => new Set(kept ?? roots.map((root) => root.path)), [kept, roots])
  const { rows, wanted } = useMemo(() => layOutTree(roots, expanded, known), [roots, expanded, known])
  const [cursor, setCursor] = useState<string | null>(null)
  const typed = useRef({ word: '', at: 0 })

  const wantedKey = [...wanted].join('\n')
  useEffect(() => {
    if (isLoaded) wantDirectories(wanted)
    // The key stands for the set.
  }, [wantedKey, isLoaded])
  useEffect(() => () => wantDirectories(new Set()), [])

  const at = Math.max(
    0,
    rows.findIndex((row) => keyOf(row) === cursor),
  )
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => rowHeight,
    overscan: 12,
    getItemKey: (index) => keyOf(rows[index]) ?? index,
  })

  const toggle = (path: string, open: boolean) => {
    const next = open ? [...expanded, path] : [...expanded].filter((other) => other !== path)
    expandedFolders.set(next.slice(-mostKept))
  }
  const goTo = (row: number) => {
    setCursor(keyOf(rows[row]))
    virtual.scrollToIndex(row, { align: 'auto' })
  }
  const activate = (row: TreeRow | undefined, how: 'preview' | 'keep') => {
    if (row?.kind !== 'entry') return
    setCursor(keyOf(row))
    if (row.expanded !== null) toggle(row.entry.path, !row.expanded)
    else if (row.entry.kind === 'file') {
      void openFile(row.entry.path, { preview: how === 'preview', focus: how === 'keep' })
    }
  }

  useReveal(roots, separator, expanded, rows, setCursor, (row) =>
    virtual.scrollToIndex(row, { align: 'auto' }),
  )

  const onKeyDown = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return
    const page = Math.max(1, Math.floor((scroller.current?.clientHeight ?? 0) / rowHeight) - 1)
    const move = moveInTree(event.key, rows, at, page)
    // Whoever walks on has ended the word.
    if (move) typed.current = { word: '', at: 0 }
    if (move?.kind === 'go') goTo(move.row)
    else if (move) toggle(move.path, move.kind === 'expand')
    else if (event.key === 'Enter') activate(rows[at], 'keep')
    else if (event.key === ' ' && !isTyping(typed.current)) activate(rows[at], 'preview')
    else if (event.key.length === 1) {
      typed.current = {
        word: isTyping(typed.current) ? typed.current.word + event.key : event.key,
        at: Date.now(),
      }
      const found = findByTyping(rows, at, typed.current.word)
      if (found !== null) goTo(found)
    } else return
    event.preventDefault()
  }

  const activeRow = rows[at]
  const isWaiting = rows.length === 0 && roots.length > 0
  return (
    <div
      ref={scroller}
      className="file-tree"
      role="tree"
      aria-label="Files"
      tabIndex={0}
      aria-activedescendant={activeRow ? `${id}-${at}` : undefined}
      onKeyDown={onKeyDown}
    >
      <WaitingLine waiting={isWaiting} />
      <div className="file-tree-rows" role="presentation" style={{ height: virtual.getTotalSize() }}>
        {virtual.getVirtualItems().map((item) => {
          const row = rows[item.index]
          if (!row) return null
          const place = { transform: `translateY(${item.start}px)`, paddingLeft: 4 + (row.level - 1) * 12 }
          const isCursor = item.index === at
          if (row.kind === 'sentence') {
            return (
              <div
                key={item.key}
                id={`${id}-${item.index}`}
                className={`tree-row tree-sentence tree-sentence-${row.tone} ${isCursor ? 'tree-cursor' : ''}`}
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
          return (
            <EntryRow
              key={item.key}
              id={`${id}-${item.index}`}
              row={row}
              style={place}
              isCursor={isCursor}
              agent={agents.get(row.entry.path)}
              onClick={() => activate(row, 'preview')}
              onDoubleClick={() => row.expanded === null && activate(row, 'keep')}
            />
          )
        })}
      </div>
    </div>
  )
}

interface EntryRowProps {
  id: string
  row: Extract<TreeRow, { kind: 'entry' }>
  style: { transform: string; paddingLeft: number }
  isCursor: boolean
  /** Whose change of this file waits for a decision. */
  agent: string | undefined
  onClick: () => void
  onDoubleClick: () => void
}

function EntryRow({ id, row, style, isCursor, agent, onClick, onDoubleClick }: EntryRowProps) {
  const { entry, expanded } = row
  const isShown = useTabs().tabs.some((tab) => tab.kind === 'file' && tab.path === entry.path)
  const isActive = useActivePath() === entry.path
  const facts = [entry.symlink ? 'symbolic link' : '', agent ? `change by ${agent} to review` : '']
  return (
    <div
      id={id}
      className={`tree-row ${isCursor ? 'tree-cursor' : ''} ${isActive ? 'tree-active' : ''} ${isShown ? 'tree-shown' : ''}`}
      role="treeitem"
      aria-label={entry.name}
      aria-level={row.level}
      aria-posinset={row.position}
      aria-setsize={row.siblings}
      aria-expanded={expanded ?? undefined}
      aria-selected={isActive}
      aria-description={facts.filter(Boolean).join(', ') || undefined}
      title={entry.name.length > 24 ? plainName(entry.name) : undefined}
      style={style}
      onClick={onClick}
      onDoubleClick={onDoubleClick}
      // The tree itself keeps the focus.
      onMouseDown={(event) => event.detail > 1 && event.preventDefault()}
    >
      <span className="tree-icon">
        {expanded === null ? (
          <FileIcon name={entry.name} />
        ) : (
          <ChevronRight className={expanded ? 'tree-open' : ''} aria-hidden="true" />
        )}
      </span>
      <span className="name">{plainName(entry.name)}</span>
      {entry.symlink ? <SquareArrowOutUpRight className="tree-link" aria-hidden="true" /> : null}
      {agent ? (
        <span className="tree-agent">
          <AgentDot agent={agent} />
        </span>
      ) : null}
    </div>
  )
}

function WaitingLine({ waiting }: { waiting: boolean }) {
  const long = useLongWait(waiting)
  return long ? <div className="tree-row tree-sentence">Reading …</div> : null
}

function useActivePath(): string | null {
  const { tabs, active } = useTabs()
  const shown = tabs.find((tab) => tab.id === active)
  return shown && 'path' in shown ? shown.path : null
}

/** Opens the way to the file that is shown and brings it into sight, once for each file that comes to be shown. */
function useReveal(
  roots: readonly TreeRoot[],
  separator: string,
  expanded: ReadonlySet<string>,
  rows: readonly TreeRow[],
  setCursor: (key: string) => void,
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
    if (missing.length > 0) expandedFolders.set([...expanded, ...missing].slice(-mostKept))
    // Only another file is a reason: what the person shuts afterwards stays shut.
  }, [active, roots, separator])
  useEffect(() => {
    if (pending.current === null) return
    const row = rows.findIndex((other) => other.kind === 'entry' && other.entry.path === pending.current)
    if (row < 0) return
    setCursor(pending.current)
    pending.current = null
    scrollTo(row)
  }, [rows, active])
}

function keyOf(row: TreeRow): string
function keyOf(row: TreeRow | undefined): string | null
function keyOf(row: TreeRow | undefined): string | null {
  if (!row) return null
  return row.kind === 'entry' ? row.entry.path : `${row.folder}\n${row.text}`
}

function isTyping(typed: { word: string; at: number }): boolean {
  return typed.word !== '' && Date.now() - typed.at < typingPause
}
