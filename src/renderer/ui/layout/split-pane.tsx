import { type ReactNode, createContext, useContext, useEffect, useRef, useState, useEffectEvent } from 'react'
import { Group, Panel, type PanelImperativeHandle, Separator } from 'react-resizable-panels'
import './split-pane.css'

type Sizes = Readonly<Record<string, number>>

/** Listeners for a group's sizes in percent, called when a drag has ended or the keyboard has moved a splitter. */
const SettledSizes = createContext<Set<(sizes: Sizes) => void>>(new Set())

/** Panes beside or above each other, with a Splitter between two. */
export function SplitPane({
  orientation,
  id,
  children,
}: {
  orientation: 'horizontal' | 'vertical'
  id: string
  children: ReactNode
}) {
  const [hearers] = useState(() => new Set<(sizes: Sizes) => void>())
  return (
    <SettledSizes value={hearers}>
      <Group
        orientation={orientation}
        id={id}
        className="split-pane"
        resizeTargetMinimumSize={{ coarse: 20, fine: 8 }}
        onLayoutChanged={(sizes, { isUserInteraction }) => {
          if (isUserInteraction) for (const hear of hearers) hear(sizes)
        }}
      >
        {children}
      </Group>
    </SettledSizes>
  )
}

/**
 * The line between two panes: drag it, or focus it and use the arrow keys. `stays`: also in a narrow window,
 * where the frame shows one pane at a time.
 */
export function Splitter({
  label,
  hidden = false,
  stays = false,
}: {
  label: string
  hidden?: boolean
  stays?: boolean
}) {
  return (
    <Separator
      className={stays ? 'splitter' : 'splitter splitter-frame'}
      aria-label={label}
      data-closed={hidden}
      {...(hidden ? { disabled: true } : {})}
    />
  )
}

interface PaneProps {
  id: string
  /** Whether a closable pane is open; dragged below half its minimum size it snaps shut. Absent: always open. */
  open?: boolean
  onOpenChange?: (open: boolean) => void
  /** Its last size when open, in percent of the group. */
  size?: number
  /** Called with the size that the person has chosen, after the drag. */
  onSizeChange?: (percent: number) => void
  /** Minimum and maximum size: pixels as a number, percent as "30%". */
  min?: number | string
  max?: number | string
  /**
   * For a window with room for only one pane: true shows this one, false hides it, whatever `open` says; sizes are then
   * left alone. Undefined: panes stand side by side.
   */
  alone?: boolean | undefined
  /** Where the pane is; when that changes it takes the `size` for that place. */
  place?: string
  children: ReactNode
}

/** One pane. While shut its content stays mounted, and inert. */
export function Pane({
  id,
  open,
  onOpenChange,
  size,
  onSizeChange,
  min = 0,
  max = '100%',
  alone,
  place,
  children,
}: PaneProps) {
  const panel = useRef<PanelImperativeHandle>(null)
  const isOpen = open ?? true
  const isSideBySide = alone === undefined
  // The state last asked for, so that our own changes are not taken for the person's.
  const wanted = useRef(isOpen)
  // False from when panes were alone until they have their sizes back; nobody chooses sizes meanwhile.
  const isSettled = useRef(true)
  const canShut = open !== undefined
  // `size` follows the drag itself and must not resize again.
  const apply = useEffectEvent(() => {
    const handle = panel.current
    if (isOpen && handle?.isCollapsed()) handle.resize(size === undefined ? min : `${size}%`)
    else if (!isOpen && handle?.isCollapsed() === false) handle.collapse()
  })
  useEffect(() => {
    wanted.current = isOpen
    if (!isSideBySide) isSettled.current = false
    if (!canShut || !isSideBySide) return
    apply()
    if (isSettled.current) return
    let frame = requestAnimationFrame(() => {
      frame = requestAnimationFrame(() => {
        apply()
        isSettled.current = true
      })
    })
    return () => cancelAnimationFrame(frame)
  }, [isOpen, isSideBySide, canShut])
  const hearers = useContext(SettledSizes)
  useEffect(() => {
    // During a drag a pane has sizes that nobody chose, such as the minimum before it snaps shut.
    const hear = (sizes: Sizes) => {
      const percent = sizes[id]
      if (percent !== undefined && percent > 0 && isSideBySide)
        onSizeChange?.(Math.round(percent * 100) / 100)
    }
    hearers.add(hear)
    return () => {
      hearers.delete(hear)
    }
  }, [hearers, id, isSideBySide, onSizeChange])
  const placed = useRef(place)
  const takeSize = useEffectEvent(() => {
    if (isOpen && size !== undefined) panel.current?.resize(`${size}%`)
  })
  useEffect(() => {
    if (placed.current === place) return
    placed.current = place
    takeSize()
  }, [place])
  return (
    <Panel
      id={id}
      panelRef={panel}
      data-alone={alone}
      collapsible={open !== undefined}
      collapsedSize={0}
      minSize={min}
      maxSize={max}
      {...(isOpen ? (size === undefined ? {} : { defaultSize: `${size}%` }) : { defaultSize: 0 })}
      onResize={(now, _id, before) => {
        if (before === undefined || !isSideBySide || !isSettled.current) return
        const isShut = now.inPixels < 1
        if (open !== undefined && isShut === wanted.current) {
          wanted.current = !isShut
          onOpenChange?.(!isShut)
        }
      }}
    >
      <div className="pane" inert={!(alone ?? isOpen)}>
        {children}
      </div>
    </Panel>
  )
}
