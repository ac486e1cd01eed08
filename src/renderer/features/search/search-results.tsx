import { useVirtualizer } from '@tanstack/react-virtual'
import { ChevronRight, X } from 'lucide-react'
import { type KeyboardEvent, useEffect, useId, useMemo, useRef, useState } from 'react'
import type { SearchHit, SearchState } from '../../../shared/contract/search'
import { attempt } from '../../state/host/calls'
import { openFile } from '../../state/tabs/wanted-file'
import { FileIcon } from '../../ui/labels/file-icon'
import { countOf } from '../../ui/wording/number-format'
import { plainName } from '../../ui/wording/plain-name'
import { type SearchRow, layOutResults, moveInResults } from './search-rows'

const rowHeight = 24
/** At most this many replacements are asked for at once. */
const mostExpanded = 200
/** At most this many letters are shown before a hit. */
const mostLead = 16

/** All results by file; with a replacement, each hit before and after it. */
export function SearchResults({
  state,
  replacement,
  takenOut,
  onTakeOut,
}: {
  state: SearchState
  replacement: string | null
  takenOut: ReadonlySet<number>
  onTakeOut: (ids: ReadonlySet<number>) => void
}) {
  const id = useId()
  const scroller = useRef<HTMLDivElement>(null)
  const [shut, setShut] = useState<ReadonlySet<string>>(new Set())
  const [cursor, setCursor] = useState<string | null>(null)
  const rows = useMemo(() => layOutResults(state.files, shut, takenOut), [state.files, shut, takenOut])
  const cursorAt = rows.findIndex(({ key }) => key === cursor)
  const at = Math.max(0, cursorAt)
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => rowHeight,
    overscan: 12,
    getItemKey: (index) => rows[index]?.key ?? index,
  })
  const items = virtual.getVirtualItems()
  const shown = items.flatMap(({ index }) => {
    const row = rows[index]
    return row?.kind === 'hit' ? [row.hit] : []
  })
  const replaced = useReplaced(state, replacement, shown)

  const toggle = (path: string) => {
    const next = new Set(shut)
    if (!next.delete(path)) next.add(path)
    setShut(next)
  }
  const takeOut = (row: SearchRow, index: number) => {
    const ids = row.kind === 'file' ? row.hits.map((hit) => hit.id) : [row.hit.id]
    setCursor(
      rows[index + (row.kind === 'file' && row.isOpen ? ids.length + 1 : 1)]?.key ??
        rows[index - 1]?.key ??
        null,
    )
    onTakeOut(new Set([...takenOut, ...ids]))
  }
  const activate = (row: SearchRow, how: 'preview' | 'keep') => {
    setCursor(row.key)
    if (row.kind === 'file') return toggle(row.file.path)
    const { line, from, to } = row.hit
    void openFile(row.file.path, {
      preview: how === 'preview',
      focus: true,
      at: { line, character: from },
      until: { line, character: to },
    })
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return
    const row = rows[at]
    if (!row) return
    const page = Math.max(1, Math.floor((scroller.current?.clientHeight ?? 0) / rowHeight) - 1)
    const move = moveInResults(event.key, rows, at, page)
    if (typeof move === 'number') {
      setCursor(rows[move]?.key ?? null)
      virtual.scrollToIndex(move, { align: 'auto' })
    } else if (move) toggle(move.toggle)
    else if (event.key === 'Enter') activate(row, 'keep')
    else if (event.key === ' ') activate(row, 'preview')
    else if (event.key === 'Delete' || event.key === 'Backspace') takeOut(row, at)
    else return
    event.preventDefault()
  }
  if (rows.length === 0) return null
  return (
    <div
      ref={scroller}
      className="list-rows scrolls search-results"
      role="tree"
      aria-label="Results"
      tabIndex={0}
      aria-activedescendant={`${id}-${at}`}
      onKeyDown={onKeyDown}
      onClick={({ target }) => {
        const line = target instanceof Element ? target.closest('[role="treeitem"]') : null
        const index = line ? Number(line.id.slice(id.length + 1)) : -1
        const row = rows[index]
        if (!row) return
        if (target instanceof Element && target.closest('.search-take-out')) takeOut(row, index)
        else activate(row, 'preview')
      }}
    >
      <div role="presentation" style={{ height: virtual.getTotalSize() }}>
        {items.map(({ index, key, start }) => {
          const row = rows[index]
          if (!row) return null
          return (
            <ResultRow
              key={key}
              id={`${id}-${index}`}
              row={row}
              start={start}
              isCursor={index === at}
              put={row.kind === 'hit' && replacement !== null ? replaced(row.hit) : undefined}
            />
          )
        })}
      </div>
    </div>
  )
}

function ResultRow(props: {
  id: string
  row: SearchRow
  start: number
  isCursor: boolean
  /** What replaces the hit; null while that isn't known, undefined where nothing is replaced. */
  put: string | null | undefined
}) {
  const { row, isCursor } = props
  return (
    <div
      id={props.id}
      className={`list-row search-row-${row.kind} ${isCursor ? 'list-cursor' : ''}`}
      role="treeitem"
      aria-level={row.kind === 'file' ? 1 : 2}
      aria-expanded={row.kind === 'file' ? row.isOpen : undefined}
      aria-selected={isCursor}
      aria-label={labelOf(row, props.put)}
      style={{ transform: `translateY(${props.start}px)` }}
    >
      {row.kind === 'file' ? <FileLine row={row} /> : <HitLine hit={row.hit} put={props.put} />}
      {/* The Delete key does the same. */}
      <button
        type="button"
        className="search-take-out"
        tabIndex={-1}
        aria-hidden="true"
        title="Remove from results"
      >
        <X />
      </button>
    </div>
  )
}

function FileLine({ row: { file, hits, isOpen } }: { row: SearchRow & { kind: 'file' } }) {
  return (
    <>
      <span className="list-icon">
        <ChevronRight className={isOpen ? 'list-open' : ''} />
      </span>
      <span className="list-icon">
        <FileIcon name={file.name} />
      </span>
      <span className="name" dir="auto">
        {plainName(file.name)}
      </span>
      <span className="name search-folder aside">{plainName(file.folder)}</span>
      {file.isUnsaved ? <span className="search-unsaved aside">unsaved</span> : null}
      <span className="search-count aside number">{hits.length}</span>
    </>
  )
}

function HitLine({ hit, put }: { hit: SearchHit; put: string | null | undefined }) {
  return (
    <>
      <span className="search-number number">{hit.line + 1}</span>
      <span className="search-text mono">
        <bdi>{leadOf(hit.before)}</bdi>
        {typeof put === 'string' ? (
          <>
            <del>{hit.match}</del>
            <ins>{put}</ins>
          </>
        ) : (
          <mark>{hit.match}</mark>
        )}
        <bdi>{hit.after}</bdi>
      </span>
    </>
  )
}

/** The end of the text before a hit, short enough to keep the hit visible in a narrow list. */
function leadOf(before: string): string {
  if (before.length <= mostLead) return before
  return `…${before.slice(1 - mostLead).replace(/^[\uDC00-\uDFFF]/, '')}`
}

function labelOf(row: SearchRow, put: string | null | undefined): string {
  if (row.kind === 'file') {
    const { name, folder, isUnsaved } = row.file
    const place = folder === '' ? '' : ` in ${plainName(folder)}`
    return `${plainName(name)}${place}, ${countOf(row.hits.length, 'hit')}${isUnsaved ? ', unsaved' : ''}`
  }
  const { line, before, match, after } = row.hit
  const becomes = typeof put === 'string' ? `, becomes ${put === '' ? 'nothing' : put}` : ''
  return `Line ${line + 1}: ${before}${match}${after}${becomes}`
}

/** What replaces each shown hit. The host fills in the groups of a regular expression. */
function useReplaced(
  { run, query }: SearchState,
  replacement: string | null,
  shown: readonly SearchHit[],
): (hit: SearchHit) => string | null {
  const needsHost = query?.isRegex === true && replacement !== null && /[$\\]/.test(replacement)
  const [known, setKnown] = useState<{ of: string; texts: ReadonlyMap<number, string | null> }>({
    of: '',
    texts: new Map(),
  })
  const of = `${run} ${replacement ?? ''}`
  const texts = known.of === of ? known.texts : null
  const missing = needsHost ? shown.filter(({ id }) => texts?.has(id) !== true).map(({ id }) => id) : []
  const wanted = missing.slice(0, mostExpanded).join(' ')
  useEffect(() => {
    if (wanted === '' || replacement === null) return
    const hits = wanted.split(' ').map(Number)
    const cancel = new AbortController()
    void attempt('search.expand', { run, replacement, hits }, cancel.signal).then((result) => {
      if (cancel.signal.aborted) return
      setKnown((before) => {
        const next = new Map(before.of === of ? before.texts : [])
        hits.forEach((id, at) => next.set(id, result.ok ? (result.value.texts[at] ?? null) : null))
        return { of, texts: next }
      })
    })
    return () => cancel.abort()
  }, [wanted, of, run, replacement])
  return (hit) => (needsHost ? (texts?.get(hit.id) ?? null) : replacement)
}
