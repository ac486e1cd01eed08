import type { KeyboardEvent, RefObject } from 'react'

interface MessageKeys {
  scroller: RefObject<HTMLElement | null>
  /** The row that the keys act on; -1 where there is none yet. */
  at: number
  count: number
  goTo: (index: number) => void
  /** The element of a row, if it is drawn. */
  element: (index: number) => HTMLElement | null
}

/** So far a message that is higher than the view is moved at each press, in pixels. */
const step = 80
/** Where the keys mean something else. */
const own =
  'textarea, input, select, pre, [contenteditable], .cm-editor, .found, .gl-review-text, [role="menu"]'

/** Arrows go from message to message, and through one that is higher than the view; pages, the beginning, the end. */
export function useMessageKeys({ scroller, at, count, goTo, element }: MessageKeys) {
  return (event: KeyboardEvent) => {
    const view = scroller.current
    if (!view || event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || event.shiftKey)
      return
    if (event.target instanceof Element && event.target.closest(own)) return
    const { top, bottom } = view.getBoundingClientRect()
    const row = element(at)?.getBoundingClientRect()
    switch (event.key) {
      case 'ArrowDown':
        if (row && row.bottom > bottom + 4 && row.top < bottom) view.scrollTop += step
        else goTo(at < 0 ? count - 1 : at + 1)
        break
      case 'ArrowUp':
        if (row && row.top < top - 4 && row.bottom > top) view.scrollTop -= step
        else goTo(at < 0 ? count - 1 : at - 1)
        break
      case 'PageDown':
      case 'PageUp': {
        view.scrollTop += (event.key === 'PageDown' ? 0.9 : -0.9) * view.clientHeight
        // The rows there are drawn with the next frame.
        requestAnimationFrame(() => requestAnimationFrame(() => goTo(firstVisible(view, at))))
        break
      }
      case 'Home':
        goTo(0)
        break
      case 'End':
        goTo(count - 1)
        break
      default:
        return
    }
    event.preventDefault()
  }
}

/** The first row that begins in sight; else the one that fills it. */
function firstVisible(view: HTMLElement, otherwise: number): number {
  const { top, bottom } = view.getBoundingClientRect()
  let found = otherwise
  for (const row of view.querySelectorAll<HTMLElement>('[data-index]')) {
    const place = row.getBoundingClientRect()
    if (place.bottom < top + 8 || place.top > bottom) continue
    found = Number(row.dataset['index'])
    if (place.top >= top - 1) return found
  }
  return found
}
