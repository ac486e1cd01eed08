import { Check, ChevronDown, Pin, X } from 'lucide-react'
import {
  Fragment,
  type DragEvent,
  type HTMLAttributes,
  type KeyboardEvent,
  type ReactElement,
  type ReactNode,
  type RefObject,
  useCallback,
  useEffect,
  useId,
  useRef,
  useState,
} from 'react'
import { IconButton } from '../controls/icon-button'
import { Menu, MenuItem } from '../overlays/menu'
import { plainName } from '../wording/plain-name'
import { Tooltip } from '../overlays/tooltip'
import './tab-strip.css'

/** One tab as the strip shows it. */
export interface StripTab {
  id: string
  /** The accessible name and the visible words. */
  name: string
  /** Follows the name, and is part of it, where another tab has the same name. */
  hint?: string | undefined
  /** Read after the name: "modified", the folder. */
  description: string
  icon?: ReactNode
  /** A dot in place of the cross until it is pointed at. */
  dirty?: boolean
  italic?: boolean
  /** A pin in place of the cross; a press on it unpins. */
  pinned?: boolean
  /** What the cross does; the tab's name follows it in its label. */
  closeLabel?: string
}

/** The tab that is being dragged, whichever strip it comes from. */
let draggedTab: string | null = null

/** The type of such a drag's data, so that no other drag is taken for one. */
const dragType = 'application/x-greenlight-tab'

function isTabDrag(event: DragEvent): boolean {
  return event.dataTransfer.types.includes(dragType)
}

interface TabStripProps {
  label: string
  tabs: readonly StripTab[]
  active: string | null
  onActivate: (id: string) => void
  /** A tab was pressed rather than reached with the arrows: the focus moves on into its content. */
  onPick?: (id: string) => void
  onClose?: (id: string) => void
  /** The key that closes the active tab, in Mod notation. */
  closeKeys?: string | undefined
  /** Puts a tab at an index; absent: the order is fixed. */
  onMove?: (id: string, to: number) => void
  onDoubleClick?: (id: string) => void
  onUnpin?: (id: string) => void
  /** Takes in a tab of another strip at an index. */
  onAdopt?: (id: string, to: number) => void
  /** Wraps each tab, for a menu of its own. */
  wrapTab?: (id: string, tab: ReactElement) => ReactNode
  /** The element that a tab controls; a function of the tab's id. */
  panelId?: (id: string) => string
  /** At the right end, outside the tabs. */
  children?: ReactNode
}

/**
 * A row of tabs: one tab stop, arrows move and show, Delete or a middle click closes, Mod+Shift+PageUp and
 * PageDown or dragging moves the tab. Too many tabs scroll, and the active one is kept in view.
 */
export function TabStrip(props: TabStripProps) {
  const { label, tabs, active, onMove, onAdopt, wrapTab, children } = props
  const list = useRef<HTMLDivElement>(null)
  const [drop, setDrop] = useState<{ dragged: string; to: number } | null>(null)

  const activeAt = tabs.findIndex((tab) => tab.id === active)
  useEffect(() => {
    const tab = shownTab(list.current)
    tab?.parentElement?.scrollIntoView({ block: 'nearest', inline: 'nearest' })
  }, [active, activeAt, tabs.length])

  const isTooLong = useTooLong(list, tabs)

  const dropIndex = (event: DragEvent<HTMLElement>, index: number) => {
    const box = event.currentTarget.getBoundingClientRect()
    return event.clientX > box.left + box.width / 2 ? index + 1 : index
  }
  const finish = () => {
    const isMine = tabs.some((tab) => tab.id === drop?.dragged)
    if (drop && !isMine) onAdopt?.(drop.dragged, drop.to)
    else if (drop && onMove) {
      const from = tabs.findIndex((tab) => tab.id === drop.dragged)
      const to = drop.to > from ? drop.to - 1 : drop.to
      if (from >= 0 && to !== from) onMove(drop.dragged, to)
    }
    setDrop(null)
  }

  return (
    <div className="tab-strip">
      <div
        ref={list}
        className="tab-list"
        role="tablist"
        aria-label={label}
        aria-orientation="horizontal"
        tabIndex={-1}
        onFocus={({ target, currentTarget }) => {
          if (target === currentTarget) shownTab(list.current)?.focus()
        }}
        onKeyDown={(event) => walkTabs(event, props)}
        onWheel={(event) => {
          if (list.current && event.deltaX === 0) list.current.scrollLeft += event.deltaY
        }}
        onDragOver={(event) => {
          if (!isTabDrag(event)) return
          if (!drop && draggedTab !== null && onAdopt) setDrop({ dragged: draggedTab, to: tabs.length })
          if (drop) event.preventDefault()
        }}
        onDragLeave={(event) => {
          if (!event.currentTarget.contains(event.relatedTarget as Node | null)) setDrop(null)
        }}
        onDrop={(event) => {
          if (!isTabDrag(event)) return
          event.preventDefault()
          finish()
        }}
      >
        {tabs.map((tab, index) => {
          const item = (
            <TabItem
              key={tab.id}
              tab={tab}
              strip={props}
              mark={
                drop?.to === index
                  ? 'before'
                  : drop?.to === index + 1 && index === tabs.length - 1
                    ? 'after'
                    : null
              }
              draggable={onMove !== undefined}
              onDragStart={(event) => {
                event.dataTransfer.effectAllowed = 'move'
                // Not as text, which an editor would insert on a drop.
                event.dataTransfer.setData(dragType, tab.id)
                draggedTab = tab.id
                setDrop({ dragged: tab.id, to: index })
              }}
              onDragOver={(event) => {
                if (isTabDrag(event) && draggedTab !== null && (onAdopt || drop)) {
                  setDrop({ dragged: draggedTab, to: dropIndex(event, index) })
                }
              }}
              onDragEnd={() => {
                draggedTab = null
                setDrop(null)
              }}
            />
          )
          return wrapTab ? <Fragment key={tab.id}>{wrapTab(tab.id, item)}</Fragment> : item
        })}
      </div>
      {children || isTooLong ? (
        <div className="tab-strip-end row">
          {isTooLong ? <AllTabs {...props} /> : null}
          {children}
        </div>
      ) : null}
    </div>
  )
}

function shownTab(list: HTMLElement | null): HTMLElement | null {
  return list?.querySelector<HTMLElement>('[role="tab"][aria-selected="true"]') ?? null
}

/** Whether a strip is too short for its tabs. */
function useTooLong(list: RefObject<HTMLElement | null>, tabs: readonly StripTab[]): boolean {
  const [isTooLong, setTooLong] = useState(false)
  const look = useCallback(() => {
    const element = list.current
    // Counts the menu's own room: otherwise the tabs might just fit without it, and it would come and go.
    const room = element?.parentElement?.clientWidth ?? 0
    setTooLong(element !== null && element.scrollWidth > Math.max(element.clientWidth, room - endRoom))
  }, [list])
  useEffect(() => {
    if (!list.current) return
    const observer = new ResizeObserver(look)
    observer.observe(list.current)
    return () => observer.disconnect()
  }, [list, look])
  useEffect(look, [look, tabs])
  return isTooLong
}

/** The room that the menu of all tabs takes, in pixels. */
const endRoom = 40

/** A menu of all tabs, where the strip can't show all of them. */
function AllTabs({ tabs, active, onActivate, onPick }: TabStripProps) {
  const isPicked = useRef(false)
  return (
    <Menu
      align="end"
      trigger={<IconButton label="All tabs" icon={<ChevronDown />} />}
      onCloseAutoFocus={(event) => {
        // The chosen tab takes the focus.
        if (isPicked.current) event.preventDefault()
        isPicked.current = false
      }}
    >
      {tabs.map(({ id, name, hint, icon }) => (
        <MenuItem
          key={id}
          icon={id === active ? <Check /> : icon}
          note={hint}
          onSelect={() => {
            isPicked.current = true
            onActivate(id)
            onPick?.(id)
          }}
        >
          {plainName(name)}
        </MenuItem>
      ))}
    </Menu>
  )
}

interface TabItemProps extends HTMLAttributes<HTMLDivElement> {
  tab: StripTab
  strip: TabStripProps
  mark: 'before' | 'after' | null
}

function TabItem({ tab, strip, mark, ...rest }: TabItemProps) {
  const descriptionId = useId()
  const isActive = tab.id === strip.active
  const isFirst = strip.tabs[0]?.id === tab.id
  const isStop = isActive || (isFirst && !strip.tabs.some((other) => other.id === strip.active))
  const { onUnpin, onClose, closeKeys } = strip
  const isPinned = tab.pinned === true && onUnpin !== undefined
  const close = onClose && {
    label: tab.closeLabel ?? 'Close',
    keys: isActive ? closeKeys : undefined,
    run: onClose,
  }
  const end = isPinned ? { label: 'Unpin', keys: undefined, run: onUnpin } : close
  return (
    <div
      {...rest}
      className={`tab ${isActive ? 'tab-active' : ''} ${tab.dirty ? 'tab-dirty' : ''}`}
      role="presentation"
      data-mark={mark ?? undefined}
      onAuxClick={(event) => {
        if (event.button !== 1 || !strip.onClose) return
        event.preventDefault()
        strip.onClose(tab.id)
      }}
      // A middle press would start scrolling.
      onMouseDown={(event) => event.button === 1 && event.preventDefault()}
    >
      <Tooltip content={<span className="name">{tab.description || tab.name}</span>}>
        <button
          type="button"
          role="tab"
          className="tab-button row"
          aria-label={tab.hint === undefined ? tab.name : `${tab.name} ${tab.hint}`}
          aria-selected={isActive}
          aria-controls={isActive ? strip.panelId?.(tab.id) : undefined}
          aria-describedby={descriptionId}
          aria-keyshortcuts={strip.onClose ? 'Delete' : undefined}
          tabIndex={isStop ? 0 : -1}
          data-tab={tab.id}
          onClick={() => {
            strip.onActivate(tab.id)
            strip.onPick?.(tab.id)
          }}
          onDoubleClick={() => strip.onDoubleClick?.(tab.id)}
        >
          {tab.icon}
          <span className={`name ${tab.italic ? 'tab-italic' : ''}`} dir="auto">
            {plainName(tab.name)}
          </span>
          {tab.hint === undefined ? null : <span className="name tab-hint">{plainName(tab.hint)}</span>}
        </button>
      </Tooltip>
      <span id={descriptionId} hidden>
        {[tab.dirty ? 'modified' : '', tab.pinned ? 'pinned' : '', tab.description]
          .filter(Boolean)
          .join(', ')}
      </span>
      {end ? (
        <Tooltip content={end.label} keys={end.keys}>
          {/* For the pointer only, since a tablist may hold nothing but tabs; Delete and the menu do the same. */}
          <button
            type="button"
            aria-hidden="true"
            className={`tab-close ${isPinned ? 'tab-pin' : ''}`}
            aria-label={`${end.label} ${tab.name}`}
            tabIndex={-1}
            onClick={() => end.run(tab.id)}
          >
            {tab.dirty ? <span className="tab-dot" /> : null}
            {isPinned ? <Pin aria-hidden="true" /> : <X aria-hidden="true" />}
          </button>
        </Tooltip>
      ) : null}
    </div>
  )
}

function walkTabs(event: KeyboardEvent<HTMLDivElement>, strip: TabStripProps): void {
  const id = (event.target as HTMLElement).dataset['tab']
  const at = strip.tabs.findIndex((tab) => tab.id === id)
  if (id === undefined || at < 0) return
  const last = strip.tabs.length - 1
  const moves = (event.ctrlKey || event.metaKey) && event.shiftKey
  const show = (index: number) => {
    const tab = strip.tabs[Math.max(0, Math.min(last, index))]
    if (!tab) return
    strip.onActivate(tab.id)
    event.currentTarget.querySelector<HTMLElement>(`[data-tab="${CSS.escape(tab.id)}"]`)?.focus()
  }
  if (moves && (event.key === 'PageUp' || event.key === 'PageDown')) {
    const to = event.key === 'PageUp' ? at - 1 : at + 1
    if (to >= 0 && to <= last) strip.onMove?.(id, to)
  } else if (event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return
  else if (event.key === 'ArrowRight') show(at + 1)
  else if (event.key === 'ArrowLeft') show(at - 1)
  else if (event.key === 'Home') show(0)
  else if (event.key === 'End') show(last)
  else if (event.key === 'Delete') strip.onClose?.(id)
  else return
  event.preventDefault()
}
