import type { Terminal } from '@xterm/xterm'
import { type Disposable, disposable } from '../../../shared/lifetime'
import type { Typing } from '../../../shared/typing'

/**
 * More characters than this within two spans are a flood: nobody reads it. It lasts until there are fewer than a
 * trickle; the host lets through less than a flood of it while somebody types into it.
 */
const floodLength = 32 << 10
const trickleLength = 8 << 10
const spanMs = 50
/** In a flood the terminal is drawn once in so many milliseconds. Drawing takes longer than parsing there. */
const frameMs = 50
/**
 * And not so soon after a key press, in milliseconds: the echo comes first, and then it is in the picture. It takes 3 ms
 * to 6, and a picture that comes before it costs 10. (Source: measured, ADR 0016.)
 */
const echoMs = 14
/** But however fast somebody types, the picture is not held back for longer than this. */
const longestHold = 100

/**
 * What of xterm's inside is used: where each drawing is asked for, where its text field follows the cursor, where a
 * selection is drawn anew, with all rows, which happens at every scrolling even if nothing is selected, and where the
 * scroll bar is set: with each line that scrolls, and once more in the next frame.
 */
interface Inside {
  _renderService?: {
    _renderDebouncer?: {
      refresh(start: number | undefined, end: number | undefined, rows: number): void
      /** What it does in a frame. */
      _innerRefresh?(): void
    }
  }
  _syncTextArea?(): void
  _viewport?: { _sync(top?: number): void; queueSync(): void }
  _selectionService?: { refresh(byMouse?: boolean): void; readonly hasSelection: boolean }
}

/**
 * Makes a terminal draw less often while more output comes than anyone can read, so that the processor is left to the
 * output. What is drawn is always the newest.
 */
export class FrameLimiter {
  readonly #typing: Typing
  #spanBegan = 0
  #inSpan = 0
  #inSpanBefore = 0
  #floods = false
  #drawn = 0

  /** `typing` is that of all the page's terminals. */
  constructor(typing: Typing) {
    this.#typing = typing
  }

  /** So much has been parsed. */
  parsed(length: number): void {
    this.#beginSpan()
    this.#inSpan += length
  }

  /** Takes charge of an opened terminal until disposed. One whose inside is another one is left alone. */
  limit(terminal: Terminal): Disposable {
    const inside = (terminal as unknown as { _core?: Inside })._core
    const drawing = inside?._renderService?._renderDebouncer
    const selection = inside?._selectionService
    const bar = inside?._viewport
    const follow = inside?._syncTextArea
    if (!drawing?.refresh || !drawing._innerRefresh || !selection?.refresh || !follow)
      return disposable(() => undefined)
    if (!bar?._sync || !bar.queueSync) return disposable(() => undefined)
    const { refresh, _innerRefresh: drawFrame } = drawing
    const { refresh: select } = selection
    const { _sync: setBar, queueSync: setBarInFrame } = bar
    let asked: { start: number; end: number; rows: number } | null = null
    let follows = false
    let setsBar = false
    let selects = false
    let hadSelection = false
    let timer: ReturnType<typeof setTimeout> | null = null
    let held: ReturnType<typeof setTimeout> | null = null
    let heldFrom: number | null = null
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
      const left = this.#isFlood() ? this.#drawn + frameMs - performance.now() : 0
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
    // A frame that was asked for before the key press waits too; until it is drawn xterm asks for no other.
    drawing._innerRefresh = () => {
      const now = performance.now()
      const left = this.#isFlood() ? echoMs - this.#typing.since : 0
      if (left <= 0 || now - (heldFrom ?? now) > longestHold) {
        heldFrom = null
        return drawFrame.call(drawing)
      }
      heldFrom ??= now
      held = setTimeout(() => {
        held = null
        requestAnimationFrame(() => drawing._innerRefresh?.())
      }, left)
    }
    inside._syncTextArea = () => {
      follows = true
      drawInTime()
    }
    // From a frame, which names the top row, it is done; for each single line it need not be, in a flood.
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
      // The person's own doing is shown at once.
      if (byMouse || !has) return select.call(selection, byMouse)
      selects = true
      drawInTime()
    }
    return disposable(() => {
      drawing.refresh = refresh
      drawing._innerRefresh = drawFrame
      selection.refresh = select
      bar._sync = setBar
      bar.queueSync = setBarInFrame
      inside._syncTextArea = follow
      draw()
      if (!held) return
      clearTimeout(held)
      drawFrame.call(drawing)
    })
  }

  #isFlood(): boolean {
    this.#beginSpan()
    this.#floods = this.#inSpan + this.#inSpanBefore > (this.#floods ? trickleLength : floodLength)
    return this.#floods
  }

  /** A new span where the last one is over. */
  #beginSpan(): void {
    const now = performance.now()
    const passed = now - this.#spanBegan
    if (passed <= spanMs) return
    this.#inSpanBefore = passed > 2 * spanMs ? 0 : this.#inSpan
    this.#inSpan = 0
    this.#spanBegan = now
  }
}
