import { useEffect, type RefObject } from 'react'
import type { Disposable } from '../../../../shared/lifetime'
import { paintText, type PaintedStretch } from '../../../code/painted-text'
import type { FindMatch } from './find'
import type { ListHandle } from '../list/message-list'

/** No more than this many are marked at once. */
const mostMarks = 2000

/** Scrolling by hand ends what keeps a match in sight. */
const byHand = ['wheel', 'pointerdown', 'keydown', 'touchstart'] as const
/** How many frames a match is kept in sight, while what is drawn beside it may change its height. */
const settling = 12

/**
 * Marks what is searched for in all drawn rows, and the current match, which is brought into sight once. The marks are
 * painted, so the rows are not touched. A match across several elements is not marked.
 */
export function useFindMarks(
  list: RefObject<ListHandle | null>,
  pattern: RegExp | null,
  shown: FindMatch | null,
): void {
  useEffect(() => {
    const scroller = list.current?.scroller
    if (!scroller || !pattern) return
    let painted: Disposable[] = []
    let frame = 0
    let isToBeShown = shown !== null
    let current: PaintedStretch | undefined
    let settlingFrame = 0
    const clear = () => {
      for (const one of painted) one.dispose()
      painted = []
    }
    const draw = () => {
      frame = 0
      clear()
      const all = stretchesIn(scroller, pattern, mostMarks)
      const part = shown === null ? null : scroller.querySelector(`[data-part="${CSS.escape(shown.part)}"]`)
      const inPart = part === null ? [] : stretchesIn(part, pattern, mostMarks)
      current = shown === null ? undefined : inPart[Math.min(shown.nth, inPart.length - 1)]
      painted = [paintText('find-match', all), paintText('find-match-current', current ? [current] : [], 1)]
      if (!current || !isToBeShown) return
      isToBeShown = false
      bringIntoSight(scroller, current)
      keepInSight(settling)
    }
    // A list that was at its end scrolls there once more before it knows that the person has left it.
    const keepInSight = (frames: number) => {
      settlingFrame = requestAnimationFrame(() => {
        if (current) bringIntoSight(scroller, current)
        if (frames > 0) keepInSight(frames - 1)
      })
    }
    const letGo = () => cancelAnimationFrame(settlingFrame)
    for (const name of byHand) scroller.addEventListener(name, letGo, { passive: true })
    const soon = () => {
      if (frame === 0) frame = requestAnimationFrame(draw)
    }
    const watching = new MutationObserver(soon)
    watching.observe(scroller, { childList: true, subtree: true, characterData: true })
    draw()
    return () => {
      watching.disconnect()
      cancelAnimationFrame(frame)
      letGo()
      for (const name of byHand) scroller.removeEventListener(name, letGo)
      clear()
    }
  }, [list, pattern, shown])
}

function stretchesIn(root: Element, pattern: RegExp, most: number): PaintedStretch[] {
  const found: PaintedStretch[] = []
  const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT)
  for (let node = walker.nextNode(); node !== null && found.length < most; node = walker.nextNode()) {
    if (!(node instanceof Text) || node.parentElement?.closest('.unseen, .message-head, button')) continue
    for (const match of node.data.matchAll(pattern)) {
      found.push({ node, from: match.index, to: match.index + match[0].length })
      if (found.length >= most) break
    }
  }
  return found
}

function bringIntoSight(scroller: HTMLElement, { node, from, to }: PaintedStretch): void {
  const range = document.createRange()
  range.setStart(node, from)
  range.setEnd(node, to)
  // A scrolling box around it comes first.
  const box = node.parentElement?.closest<HTMLElement>('pre, .found')
  const scroll = (view: HTMLElement) => {
    const place = range.getBoundingClientRect()
    const frame = view.getBoundingClientRect()
    if (place.top < frame.top + 8 || place.bottom > frame.bottom - 8)
      view.scrollTop += place.top - frame.top - view.clientHeight / 3
  }
  if (box) scroll(box)
  scroll(scroller)
}
