import { type ReactNode, createContext, useContext, useEffect, useRef, useState, useEffectEvent } from 'react'
import { Group, Panel, type PanelImperativeHandle, Separator } from 'react-resizable-panels'
import './split-pane.css'

type Sizes = Readonly<Record<string, number>>

/** Who wants to hear a group's sizes in percent when a drag has ended or the keyboard has moved a splitter. */
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
 * The line between two panes: drag it, or focus it and use the arrow keys. `stays`: it does in a narrow window too,
 * where the panes of the frame stand alone.
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
  /** A pane that can be shut: dragged below half of its least size it snaps shut. Without it, it is always open. */
  open?: boolean
  onOpenChange?: (open: boolean) => void
  /** Its size when open, in percent of the group, as last kept. */
  size?: number
  /** Hears the size that the person has chosen, when the drag is over. */
  onSizeChange?: (percent: number) => void
  /** Least and greatest size: pixels as a number, percent as "30%". */
  min?: number | string
  max?: number | string
  /**
   * For a window with room for one pane only: true is the one, false is hidden, whatever `open` says; sizes are then
   * left alone. Undefined: panes stand side by side.
   */
  alone?: boolean
  /** Where the pane stands; when that changes it takes the size kept for there. */
  place?: string
  children: ReactNode
}

/** One pane. What is inside stays alive while it is shut, out of reach for focus. */
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
  // What we last asked for, so that our own moves are not taken for the person's.
  const wanted = useRef(isOpen)
  // False from when panes stood alone until they have their sizes again, which nobody has chosen meanwhile.
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
    // While it is dragged a pane has sizes that nobody chose, the least one before it snaps shut among them.
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
