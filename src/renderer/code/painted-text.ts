import { type Disposable, disposable } from '../../shared/lifetime'

/** A stretch of one text node, from and to in UTF-16 units. */
export interface PaintedStretch {
  node: Text
  from: number
  to: number
}

/** Whether the browser can paint stretches of text without elements for them. */
export const canPaint = typeof CSS !== 'undefined' && 'highlights' in CSS

/**
 * Paints stretches of text under a name that a `::highlight(name)` rule gives a look, until disposed. No element is
 * made for any of them, so a page of code costs no more nodes than a page of prose. Where a browser cannot, nothing
 * is painted.
 */
export function paintText(name: string, stretches: readonly PaintedStretch[], priority = 0): Disposable {
  if (!canPaint || stretches.length === 0) return disposable(() => undefined)
  const { highlights } = CSS
  let highlight = highlights.get(name)
  if (!highlight) {
    highlight = new Highlight()
    highlight.priority = priority
    highlights.set(name, highlight)
  }
  const ranges = stretches.map(
    ({ node, from, to }) =>
      new StaticRange({ startContainer: node, startOffset: from, endContainer: node, endOffset: to }),
  )
  for (const range of ranges) highlight.add(range)
  return disposable(() => {
    for (const range of ranges) highlight.delete(range)
  })
}
