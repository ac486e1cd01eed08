import { useVirtualizer } from '@tanstack/react-virtual'
import { ArrowDownLeft, ArrowUpRight, FileDown, ScrollText, X } from 'lucide-react'
import { type KeyboardEvent, useEffect, useId, useRef, useState } from 'react'
import type { FrameRow, LogSource } from '../../../shared/contract/log'
import { ask } from '../../state/host/calls'
import { client } from '../../state/host/client'
import { useFrames, useLogSources } from '../../state/agents/protocol-log-mirror'
import { EmptyState } from '../../ui/layout/empty-state'
import { IconButton } from '../../ui/controls/icon-button'
import { countOf, formatSize } from '../../ui/wording/number-format'
import { PaneHeader } from '../../ui/layout/pane-header'
import { Select } from '../../ui/controls/select'
import { Skeleton } from '../../ui/layout/skeleton'
import { rowByKey } from '../../ui/layout/list-keys'
import { FrameSearch } from './frame-search'
import './log-panel.css'

const rowHeight = 24

/** Every message between an agent and this window, with file contents and secrets left out. */
export function LogPanel() {
  const sources = useLogSources()
  const [chosen, setChosen] = useState<string | null>(null)
  const source =
    sources.find(({ id }) => id === chosen) ??
    sources.findLast(({ ended }) => ended === null) ??
    sources.at(-1)
  return (
    <section className="fills" aria-label="Log">
      <PaneHeader title="Log">
        {source ? (
          <IconButton
            label="Export as JSON lines"
            icon={<FileDown />}
            onClick={() => void ask('log.export', { connection: source.id })}
          />
        ) : null}
      </PaneHeader>
      {source ? (
        <>
          <Select
            className="log-source"
            aria-label="Connection"
            value={source.id}
            onChange={(event) => setChosen(event.target.value)}
          >
            {sources.map((one) => (
              <option key={one.id} value={one.id}>
                {nameOf(one, sources)}
              </option>
            ))}
          </Select>
          <Frames key={source.id} connection={source.id} />
        </>
      ) : (
        <EmptyState icon={<ScrollText />} title="No messages yet">
          Messages between agents and this window appear here, without file contents or secrets.
        </EmptyState>
      )}
    </section>
  )
}

function Frames({ connection }: { connection: string }) {
  const state = useFrames(connection)
  const [letters, setLetters] = useState('')
  const found = useSearch(connection, letters, state?.rows.at(-1)?.seq ?? 0, state?.forgotten ?? 0)
  const [open, setOpen] = useState<number | null>(null)
  if (state === null) return <Skeleton lines={6} />
  const rows = found === null ? state.rows : state.rows.filter(({ seq }) => found.has(seq))
  return (
    <>
      <input
        className="field log-search"
        type="search"
        placeholder="Search in messages"
        aria-label="Search in messages"
        value={letters}
        onChange={(event) => setLetters(event.target.value)}
      />
      <p className="log-count aside" role="status">
        {found === null ? countOf(rows.length, 'message') : `${countOf(rows.length, 'message')} found`}
        {state.forgotten > 0 ? ` · ${countOf(state.forgotten, 'older one')} no longer kept` : null}
      </p>
      <FrameList rows={rows} open={open} onOpen={setOpen} />
      {open === null ? null : <FrameText connection={connection} seq={open} onClose={() => setOpen(null)} />}
    </>
  )
}

function FrameList({
  rows,
  open,
  onOpen,
}: {
  rows: readonly FrameRow[]
  open: number | null
  onOpen: (seq: number) => void
}) {
  const id = useId()
  const scroller = useRef<HTMLDivElement>(null)
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => rowHeight,
    overscan: 10,
    getItemKey: (index) => rows[index]?.seq ?? index,
  })
  const last = rows.length - 1
  const isFollowing = useRef(true)
  // New messages scroll the list only for a reader at its end.
  useEffect(() => {
    if (isFollowing.current && last >= 0) virtual.scrollToIndex(last)
  }, [last, virtual])
  const at = rows.findIndex(({ seq }) => seq === open)
  // The list gets shorter once a message is shown below it; that message's row stays in sight.
  const shown = useRef(at)
  shown.current = at
  useEffect(() => {
    if (open === null) return
    const frame = requestAnimationFrame(() => {
      if (shown.current >= 0) virtual.scrollToIndex(shown.current, { align: 'auto' })
    })
    return () => cancelAnimationFrame(frame)
  }, [open, virtual])
  const goTo = (index: number) => {
    const row = rows[index]
    if (!row) return
    onOpen(row.seq)
    virtual.scrollToIndex(index, { align: 'auto' })
  }
  const onKeyDown = (event: KeyboardEvent) => {
    // Without an open message an arrow key opens the newest.
    const isFirst = at === -1 && event.key.startsWith('Arrow')
    const next = rowByKey(isFirst ? 'End' : event.key, at, last, 10)
    if (next === null) return
    event.preventDefault()
    goTo(next)
  }
  return (
    <div
      ref={scroller}
      className="log-rows scrolls"
      role="listbox"
      aria-label="Messages"
      tabIndex={0}
      aria-activedescendant={at === -1 ? undefined : `${id}-${at}`}
      onKeyDown={onKeyDown}
      onClick={({ target }) => {
        const line = target instanceof Element ? target.closest('[role="option"]') : null
        const row = line && rows[Number(line.id.slice(id.length + 1))]
        if (row) onOpen(row.seq)
      }}
      onScroll={({ currentTarget: { scrollTop, scrollHeight, clientHeight } }) => {
        isFollowing.current = scrollTop + clientHeight >= scrollHeight - rowHeight
      }}
    >
      <div role="presentation" style={{ height: virtual.getTotalSize(), position: 'relative' }}>
        {virtual.getVirtualItems().map((item) => {
          const row = rows[item.index]
          return row ? (
            <FrameLine
              key={item.key}
              id={`${id}-${item.index}`}
              row={row}
              isOpen={row.seq === open}
              top={item.start}
            />
          ) : null
        })}
      </div>
    </div>
  )
}

function FrameLine({ id, row, isOpen, top }: { id: string; row: FrameRow; isOpen: boolean; top: number }) {
  const { direction, kind, name, at, bytes, ms } = row
  const words = name === '' ? namelessWords[kind] : kindWords[kind]
  return (
    <div
      id={id}
      className={`log-row row log-row-${kind}`}
      role="option"
      aria-selected={isOpen}
      aria-label={`${direction === 'in' ? 'From the agent' : 'To the agent'}: ${words} ${name}, ${clock(at)}`}
      style={{ transform: `translateY(${top}px)` }}
      title={name.length > 24 ? name : undefined}
    >
      {direction === 'in' ? <ArrowDownLeft aria-hidden="true" /> : <ArrowUpRight aria-hidden="true" />}
      <span className="log-name">
        {words === '' ? null : <span className="log-kind">{words} </span>}
        <bdi>{name}</bdi>
      </span>
      <span className="log-fact">{ms === null ? formatSize(bytes) : `${ms} ms`}</span>
      <time className="log-fact" dateTime={new Date(at).toISOString()}>
        {clock(at)}
      </time>
    </div>
  )
}

function FrameText({ connection, seq, onClose }: { connection: string; seq: number; onClose: () => void }) {
  const [text, setText] = useState<string | null | undefined>(undefined)
  useEffect(() => {
    let isWanted = true
    client.call('log.frame', { connection, seq }).then(
      (answer) => isWanted && setText(answer.text),
      () => isWanted && setText(null),
    )
    return () => {
      isWanted = false
    }
  }, [connection, seq])
  return (
    <section className="log-frame column" aria-label={`Message ${seq}`}>
      <header>
        <h3>Message {seq}</h3>
        <IconButton label="Close the message" icon={<X />} onClick={onClose} />
      </header>
      {text === undefined ? null : text === null ? (
        <p className="log-gone">This message is no longer kept. Choose a newer one.</p>
      ) : (
        <pre className="mono selectable scrolls" tabIndex={0} role="group" aria-label="Text of the message">
          {text}
        </pre>
      )}
    </section>
  )
}

/** The numbers of the frames that contain the letters; null while nothing is searched for. */
function useSearch(
  connection: string,
  letters: string,
  newest: number,
  forgotten: number,
): ReadonlySet<number> | null {
  const [found, setFound] = useState<ReadonlySet<number> | null>(null)
  const wanted = letters.trim()
  const search = useRef<FrameSearch | null>(null)
  useEffect(() => {
    if (wanted === '') {
      setFound(null)
      return
    }
    const ask = async (text: string, from: number) =>
      (await client.call('log.search', { connection, text, from })).seqs
    const begun = new FrameSearch(wanted, ask, setFound)
    search.current = begun
    return () => begun.dispose()
  }, [connection, wanted])
  useEffect(() => search.current?.reach(newest, forgotten), [connection, wanted, newest, forgotten])
  return wanted === '' ? null : found
}

const kindWords: Record<FrameRow['kind'], string> = {
  request: '',
  notification: '',
  answer: 'answer to',
  error: 'error for',
  unreadable: 'not readable',
}

/** For a message without a name. */
const namelessWords: Record<FrameRow['kind'], string> = {
  ...kindWords,
  answer: 'answer',
  error: 'error',
}

/** A connection's name; equal names are numbered. */
function nameOf(source: LogSource, all: readonly LogSource[]): string {
  const name = bareName(source)
  const same = all.filter((other) => bareName(other) === name)
  return same.length === 1 ? name : `${name} (${same.indexOf(source) + 1})`
}

function bareName({ agent, version, since, ended }: LogSource): string {
  const name = [agent, version].filter(Boolean).join(' ')
  return `${name}, since ${clock(since).slice(0, 5)}${ended === null ? '' : `, ended ${clock(ended).slice(0, 5)}`}`
}

/** "14:05:09", local time. */
function clock(at: number): string {
  return new Date(at).toTimeString().slice(0, 8)
}
