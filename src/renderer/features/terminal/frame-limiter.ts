import type { Terminal } from '@xterm/xterm'
import { type Disposable, disposable } from '../../../shared/lifetime'

/** More characters than this within two spans are a flood, too much to read. */
const floodLength = 32 << 10
const spanMs = 50
/** In a flood the terminal is drawn once per this many milliseconds; drawing then takes longer than parsing. */
const frameMs = 50
/** For this long after a key press every frame is drawn even so, in milliseconds: the person waits for an echo. */
const typingMs = 500

/**
 * What is used of xterm's internals: where drawing is requested; where the text field follows the cursor; where the
 * selection redraws all rows, on every scroll even if nothing is selected; and where the scroll bar is set, for each
 * line that scrolls and once more in the next frame.
 */
interface Inside {
  _renderService?: {
    _renderDebouncer?: { refresh(start: number | undefined, end: number | undefined, rows: number): void }
  }
  _syncTextArea?(): void
  _viewport?: { _sync(top?: number): void; queueSync(): void }
  _selectionService?: { refresh(byMouse?: boolean): void; readonly hasSelection: boolean }
}

/**
 * Makes a terminal draw less often while more output comes than anyone can read, which leaves the processor to the
 * output. Each drawing shows the newest state.
 */
export class FrameLimiter {
  #spanBegan = 0
  #inSpan = 0
  #inSpanBefore = 0
  #drawn = 0
  #pressed = Number.NEGATIVE_INFINITY

  /** This many characters have been parsed. */
  parsed(length: number): void {
    this.#beginSpan()
    this.#inSpan += length
  }

  /** The person has pressed a key. */
  press(): void {
    this.#pressed = performance.now()
  }

  /** Limits an opened terminal until disposed. Does nothing where xterm's internals are different. */
  limit(terminal: Terminal): Disposable {
    const inside = (terminal as unknown as { _core?: Inside })._core
    const drawing = inside?._renderService?._renderDebouncer
    const selection = inside?._selectionService
    const bar = inside?._viewport
    const follow = inside?._syncTextArea
    if (!drawing?.refresh || !selection?.refresh || !follow) return disposable(() => undefined)
    if (!bar?._sync || !bar.queueSync) return disposable(() => undefined)
    const { refresh } = drawing
    const { refresh: select } = selection
    const { _sync: setBar, queueSync: setBarInFrame } = bar
    let asked: { start: number; end: number; rows: number } | null = null
    let follows = false
    let setsBar = false
    let selects = false
    let hadSelection = false
    let timer: ReturnType<typeof setTimeout> | null = null
    const draw = (): void => {
      if (timer) clearTimeout(timer)
      timer = null
      this.#drawn = performance.now()
      if (follows) follow.call(inside)
      if (selects) select.call(selection)
      if (setsBar) setBarInFrame.call(bar)
      if (asked) refresh.call(drawing, asked.start, Math.min(asked.end, asked.rows - 1), asked.rows)
      follows = false
      selects = false
      setsBar = false
      asked = null
    }
    const drawInTime = (): void => {
      if (timer) return
      const now = performance.now()
      const isHeld = this.#isFlood() && now - this.#pressed > typingMs
      const left = isHeld ? this.#drawn + frameMs - now : 0
      if (left <= 0) draw()
      else timer = setTimeout(draw, left)
    }
    drawing.refresh = (start = 0, end, rows) => {
      const last = end ?? rows - 1
      asked = asked
        ? { start: Math.min(asked.start, start), end: Math.max(asked.end, last), rows }
        : { start, end: last, rows }
      drawInTime()
    }
    inside._syncTextArea = () => {
      follows = true
      drawInTime()
    }
    // A frame names the top row and is let through; a single line can wait for the next drawing.
    bar._sync = (...top) => {
      if (top.length > 0 || !timer) return setBar.apply(bar, top)
      setsBar = true
    }
    bar.queueSync = () => {
      setsBar = true
      drawInTime()
    }
    selection.refresh = (byMouse) => {
      const has = selection.hasSelection
      if (!has && !hadSelection) return
      hadSelection = has
      // The person's own selection is shown at once.
      if (byMouse || !has) return select.call(selection, byMouse)
      selects = true
      drawInTime()
    }
    return disposable(() => {
      drawing.refresh = refresh
      selection.refresh = select
      bar._sync = setBar
      bar.queueSync = setBarInFrame
      inside._syncTextArea = follow
      draw()
    })
  }

  #isFlood(): boolean {
    this.#beginSpan()
    return this.#inSpan + this.#inSpanBefore > floodLength
  }

  /** Begins a new span if the last one is over. */
  #beginSpan(): void {
    const now = performance.now()
    const passed = now - this.#spanBegan
    if (passed <= spanMs) return
    this.#inSpanBefore = passed > 2 * spanMs ? 0 : this.#inSpan
    this.#inSpan = 0
    this.#spanBegan = now
  }
}
