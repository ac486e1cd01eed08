import {
  observeElementOffset,
  useVirtualizer,
  type Range,
  type VirtualItem,
  type Virtualizer,
} from '@tanstack/react-virtual'
import { ArrowDown } from 'lucide-react'
import {
  useCallback,
  useEffect,
  useImperativeHandle,
  useLayoutEffect,
  useReducer,
  useRef,
  useState,
  type Ref,
} from 'react'
import { flushSync } from 'react-dom'
import { Button } from '../../../ui/controls/button'
import { formatNumber } from '../../../ui/wording/number-format'
import type { ConversationState } from '../conversation-state'
import { ListRow } from './list-row'
import { noteScroll } from '../message/drawing-turns'
import { useMessageKeys } from './message-keys'
import { RowPreparation } from './row-preparation'
import type { Rows } from './rows'

/** What can be done with the list from outside. */
export interface ListHandle {
  scroller: HTMLElement | null
  /** Brings a row into sight. */
  show(row: number): void
  /** Goes to the end and follows it. */
  toNewest(): void
  focus(): void
}

/** The height of a row before it has been drawn. */
const usualHeight = 88
/** From so many rows before the first one on, the page before is asked for: fast scrolling does not wait for it. */
const nearBeginning = 40
/** Nearer to the end than this, one is at it; in pixels. */
const endDistance = 48
/** Room above the first row, for what says that there is more. */
const topRoom = 52

/**
 * All rows, of which only those near what is visible are drawn. It begins at its end and follows it; who reads above
 * stays where they are, whatever comes at either end.
 */
export function MessageList({
  state,
  rows,
  active,
  onEarlier,
  ref,
}: {
  state: ConversationState
  rows: Rows
  active: boolean
  onEarlier: () => void
  ref: Ref<ListHandle>
}) {
  const { transcript, history } = state
  const scroller = useRef<HTMLDivElement>(null)
  const [current, setCurrent] = useState<{ key: string; index: number } | null>(null)
  const at = current === null ? -1 : placeOf(rows, transcript.indexOf(current.key), current)
  const [isAtEnd, setAtEnd] = useState(true)
  const isActive = useRef(active)
  isActive.current = active
  const [, takeStep] = useReducer((before: number) => before + 1, 0)
  const [preparation] = useState(() => new RowPreparation(() => flushSync(takeStep)))
  useEffect(() => () => preparation.dispose(), [preparation])
  // Another one each time, for the list asks the same one no more than once.
  const rangeExtractor = (range: Range) => {
    const wanted = preparation.extend(range)
    // What has the focus stays, wherever one scrolls to.
    if (at < 0 || at >= range.count || wanted.includes(at)) return wanted
    return [...wanted, at].sort((a, b) => a - b)
  }
  const isWhole = history.kind === 'here' && history.earlier === 'none'
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => usualHeight,
    observeElementOffset: observeFromEnd,
    getItemKey: rows.keyAt,
    paddingStart: topRoom,
    paddingEnd: 24,
    anchorTo: 'end',
    followOnAppend: true,
    scrollEndThreshold: endDistance,
    rangeExtractor,
  })
  virtual.shouldAdjustScrollPositionOnItemSizeChange = (row, _by, list) => isAboveSight(row, list)
  const drawn = virtual.getVirtualItems()

  // A list that was hidden has not followed.
  const wasAtEnd = useRef(true)
  wasAtEnd.current = isAtEnd
  const wasHidden = useRef(false)
  useLayoutEffect(() => {
    if (active && wasHidden.current && wasAtEnd.current) virtual.scrollToEnd()
    wasHidden.current = !active
  }, [active, virtual])

  // After the list's own listener, which React's would come before.
  useEffect(() => {
    const list = scroller.current
    let top = list?.scrollTop ?? 0
    const hear = () => {
      // A list that was just hidden, or is shown again and not measured yet, knows nothing of its end.
      const now = virtual.scrollOffset ?? 0
      if (isActive.current && (virtual.scrollRect?.height ?? 0) > 0) {
        const isShown = isEndShown(virtual)
        // What grew faster than it was followed leaves nobody behind: only who goes up leaves the end.
        if (!isShown && wasAtEnd.current && now >= top) virtual.scrollToEnd()
        else setAtEnd(isShown)
      }
      noteScroll(now - top)
      top = now
      preparation.wake(virtual)
    }
    list?.addEventListener('scroll', hear, { passive: true })
    return () => list?.removeEventListener('scroll', hear)
  }, [virtual, preparation])
  // What becomes shorter may bring the end into sight, and what is shown may be there already: neither scrolls.
  const total = virtual.getTotalSize()
  useEffect(() => {
    if (isAtEnd || !active) return
    const frame = requestAnimationFrame(() => setAtEnd(isEndShown(virtual)))
    return () => cancelAnimationFrame(frame)
  }, [isAtEnd, active, total, virtual])
  useEffect(() => {
    if (active) preparation.wake(virtual)
  }, [active, rows, virtual, preparation])
  // Less room, such as for a terminal or a longer draft, takes nothing of the end from who reads there.
  useEffect(() => {
    const list = scroller.current
    if (!list) return
    let height = list.clientHeight
    const observer = new ResizeObserver(([entry]) => {
      const now = Math.round(entry?.contentRect.height ?? 0)
      if (now === height || now === 0) return
      height = now
      if (wasAtEnd.current) virtual.scrollToEnd()
      // More room may show the end to who was not at it, and the browser's own step there was told too early.
      else setAtEnd(isEndShown(virtual))
    })
    observer.observe(list)
    return () => observer.disconnect()
  }, [virtual])

  const first = virtual.range?.startIndex ?? Number.POSITIVE_INFINITY
  const canAsk = history.kind === 'here' && history.earlier === 'some'
  useEffect(() => {
    if (active && canAsk && first < nearBeginning) onEarlier()
  }, [active, canAsk, first, rows.length, onEarlier])

  const element = useCallback(
    (index: number) =>
      scroller.current?.querySelector<HTMLElement>(`:scope > * > [data-index="${index}"]`) ?? null,
    [],
  )
  const wantsFocus = useRef(false)
  useLayoutEffect(() => {
    if (!wantsFocus.current || at < 0) return
    wantsFocus.current = false
    element(at)?.focus({ preventScroll: true })
  }, [at, current, element])
  const goTo = (index: number, withFocus = true) => {
    const to = Math.max(0, Math.min(rows.length - 1, index))
    if (rows.length === 0) return
    wantsFocus.current = withFocus
    setCurrent({ key: rows.keyAt(to), index: to })
    if (to === rows.length - 1) virtual.scrollToEnd()
    else virtual.scrollToIndex(to, { align: 'auto' })
  }
  const latest = useRef({ goTo, rows })
  latest.current = { goTo, rows }
  const toNewest = useCallback(() => {
    virtual.scrollToEnd()
    latest.current.goTo(latest.current.rows.length - 1)
  }, [virtual])
  // What comes behind a message is read from there on, though what stands below is what stays in its place.
  const goingOnFrom = useRef<{ key: string; index: number; rows: number } | null>(null)
  const goOnReading = useCallback((gap: number) => {
    const { rows: laidOut } = latest.current
    goingOnFrom.current = { key: laidOut.keyAt(gap - 1), index: gap - 1, rows: laidOut.length }
  }, [])
  useLayoutEffect(() => {
    const from = goingOnFrom.current
    if (!from || from.rows === rows.length) return
    goingOnFrom.current = null
    const place = placeOf(rows, transcript.indexOf(from.key), from)
    if (place >= 0) virtual.scrollToIndex(Math.min(place + 1, rows.length - 1), { align: 'center' })
  }, [rows, transcript, virtual])
  const onKeyDown = useMessageKeys({ scroller, at, count: rows.length, goTo, element })
  const unread = useUnread(state, isAtEnd)

  useImperativeHandle(ref, () => ({
    get scroller() {
      return scroller.current
    },
    show: (row) => {
      setAtEnd(false)
      virtual.scrollToIndex(row, { align: 'center' })
    },
    toNewest: () => virtual.scrollToEnd(),
    focus: () => goTo(at < 0 ? rows.length - 1 : at),
  }))

  const stop = at >= 0 ? at : (drawn.at(-1)?.index ?? -1)
  return (
    <div className="messages column">
      <div
        ref={scroller}
        className="messages-scroller"
        role="log"
        aria-label="Conversation"
        // What comes is said once it is finished, by the page's one live region.
        aria-live="off"
        aria-busy={history.kind === 'here' && history.earlier === 'loading'}
        onKeyDown={onKeyDown}
      >
        <div className="messages-room" style={{ height: total }}>
          {(drawn[0]?.index ?? 0) === 0 ? (
            <p className="messages-top aside">{isWhole ? 'Start of session' : 'Earlier messages …'}</p>
          ) : null}
          {drawn.map(({ key, index, start }) => (
            <ListRow
              key={key}
              ref={virtual.measureElement}
              state={state}
              rows={rows}
              index={index}
              start={start}
              isStop={index === stop}
              isWhole={isWhole && (state.gaps ?? []).length === 0}
              onFocus={setCurrent}
              onEnd={toNewest}
              onLater={goOnReading}
            />
          ))}
        </div>
      </div>
      {isAtEnd || rows.length === 0 ? null : (
        <div className="to-newest">
          <Button size="small" icon={<ArrowDown />} onClick={toNewest}>
            {unread === 0 ? 'Jump to latest' : `Jump to latest · ${formatNumber(unread)} new`}
          </Button>
        </div>
      )}
    </div>
  )
}

/**
 * Begins at the end, which the list knows before it draws a row. Told to scroll there it would first draw the beginning
 * and ask for the page in front of it, and leave its end while that comes and rows are measured.
 */
function observeFromEnd(
  list: Virtualizer<HTMLDivElement, Element>,
  tell: (offset: number, isScrolling: boolean) => void,
) {
  const element = list.scrollElement
  if (element) {
    element.scrollTop = element.scrollHeight
    tell(element.scrollTop, false)
  }
  return observeElementOffset(list, tell)
}

/**
 * Whether the end is in sight, or nearly. By what the list knows already: asking the page would have it laid out at each
 * step.
 */
function isEndShown(list: Virtualizer<HTMLDivElement, Element>): boolean {
  const end = (list.scrollOffset ?? 0) + (list.scrollRect?.height ?? 0)
  return end >= list.getTotalSize() - endDistance
}

/**
 * Whether a row's change of height moves what one reads: of a row that is measured first, when it begins above; later,
 * when it ends above. The list's own rule leaves out rows that change while one goes up, as the first one does when the
 * page in front of it comes.
 */
function isAboveSight({ key, start, end }: VirtualItem, list: Virtualizer<HTMLDivElement, Element>): boolean {
  const top = list.scrollOffset ?? 0
  return list.itemSizeCache.has(key) ? end <= top : start < top
}

/** Where the row that was worked in is now: pages may have come in front of it. */
function placeOf(rows: Rows, item: number, { key, index }: { key: string; index: number }): number {
  if (rows.keyAt(index) === key && index < rows.length) return index
  if (item >= 0) return rows.rowOf(item)
  for (let row = 0; row < rows.length; row++) if (rows.keyAt(row) === key) return row
  return -1
}

/** How many messages have come at the end since one left it. */
function useUnread({ transcript }: ConversationState, isAtEnd: boolean): number {
  const last = useRef<string | undefined>(undefined)
  const newest = transcript.idAt(transcript.length - 1)
  if (isAtEnd || last.current === undefined) last.current = newest
  if (last.current === newest || last.current === undefined) return 0
  const seen = transcript.indexOf(last.current)
  return seen < 0 ? 0 : transcript.length - 1 - seen
}
