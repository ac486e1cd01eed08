import type { Range, Virtualizer } from '@tanstack/react-virtual'
import { flushSync } from 'react-dom'
import type { Disposable } from '../../../../shared/lifetime'

type List = Virtualizer<HTMLDivElement, Element>

/** So far ahead of what is in sight rows are made ready, and so far behind it they stay; in pixels. */
const ahead = 1200
const behind = 600
/** With less than this left of a frame no row is begun, in milliseconds. */
const perRow = 4
/** A page that is at work all the time still gets to it now and then, in milliseconds. */
const longestWait = 200
/** So many rows beside those in sight are drawn in any case. */
const atOnce = 1

/**
 * Has rows drawn before they come into sight: one after another in what is left of each frame, further in the direction
 * that was scrolled last. So a frame has few rows to draw, however fast one scrolls.
 */
export class RowPreparation implements Disposable {
  readonly #draw: () => void
  #list: List | null = null
  /** The first and the last row that shall be drawn, counted from the end: pages come in front of the first one. */
  #first = -1
  #last = -1
  #direction: 'backward' | 'forward' = 'backward'
  #request = 0

  /** `draw` is to ask `extend` again, and to be done when it comes back. */
  constructor(draw: () => void) {
    this.#draw = draw
  }

  /** The rows to be drawn around those in sight. */
  extend({ startIndex, endIndex, count }: Range): number[] {
    let from = Math.max(0, startIndex - atOnce)
    let to = Math.min(count - 1, endIndex + atOnce)
    const first = count - 1 - this.#first
    const last = count - 1 - this.#last
    // Those that do not touch what is in sight are of a place that was left.
    if (this.#first >= 0 && first <= to + 1 && last >= from - 1) {
      from = Math.max(0, Math.min(from, first))
      to = Math.min(count - 1, Math.max(to, last))
    }
    return Array.from({ length: to - from + 1 }, (_one, index) => from + index)
  }

  /** Begins for a list, or looks whether there is more to do after it has been scrolled or has changed. */
  wake(list: List): void {
    this.#list = list
    if (list.scrollDirection !== null) this.#direction = list.scrollDirection
    if (this.#request === 0)
      this.#request = requestIdleCallback((deadline) => this.#work(deadline), { timeout: longestWait })
  }

  dispose(): void {
    cancelIdleCallback(this.#request)
    this.#list = null
  }

  #work(deadline: IdleDeadline): void {
    this.#request = 0
    const list = this.#list
    let steps = 0
    while (list && (deadline.timeRemaining() > perRow || (deadline.didTimeout && steps === 0))) {
      if (!this.#takeStep(list)) return
      steps++
    }
    if (list) this.wake(list)
  }

  /** Has one more row drawn, and others that have been left far behind no more. False where all is done. */
  #takeStep(list: List): boolean {
    const { range, scrollRect, measurementsCache: places } = list
    const count = list.options.count
    if (!range || !scrollRect || scrollRect.height === 0 || count === 0) return false
    const drawn = this.extend({ ...range, count, overscan: 0 })
    let from = drawn[0] ?? range.startIndex
    let to = drawn.at(-1) ?? range.endIndex
    const top = list.scrollOffset ?? 0
    const bottom = top + scrollRect.height
    const isUp = this.#direction === 'backward'
    const above = top - (isUp ? ahead : behind)
    const below = bottom + (isUp ? behind : ahead)
    const startOf = (index: number) => places[index]?.start ?? 0
    const endOf = (index: number) => places[index]?.end ?? 0
    const [wasFrom, wasTo] = [from, to]
    while (to > range.endIndex + atOnce && startOf(to) > below) to--
    while (from < range.startIndex - atOnce && endOf(from) < above) from++
    let fresh = -1
    const canUp = wasFrom > 0 && from === wasFrom && startOf(from) > above
    const canDown = wasTo < count - 1 && to === wasTo && endOf(to) < below
    if (canUp && (isUp || !canDown)) fresh = --from
    else if (canDown) fresh = ++to
    this.#first = count - 1 - from
    this.#last = count - 1 - to
    if (from === wasFrom && to === wasTo) return false
    this.#draw()
    if (fresh >= 0) measure(list, fresh)
    return true
  }
}

/** Now, and not in the middle of the next frame: that is what it was drawn ahead for. */
function measure(list: List, index: number): void {
  const element = list.elementsCache.get(list.options.getItemKey(index))
  if (!element?.isConnected) return
  const height = list.options.measureElement(element, undefined, list)
  flushSync(() => list.resizeItem(index, height))
}
