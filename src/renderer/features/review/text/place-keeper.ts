import type { EditorView } from '@codemirror/view'

/** Runs a change of a text's look and then scrolls so that the line at the top is at the top again. */
export function keepPlace(view: EditorView, scroller: HTMLElement, run: () => void): void {
  const top = scroller.getBoundingClientRect().top
  const block = view.lineBlockAtHeight(top - view.documentTop)
  // The line itself: removed lines are above it in one layout only.
  const placeNow = () =>
    view.coordsAtPos(block.from)?.top ?? view.documentTop + view.lineBlockAt(block.from).top
  const place = placeNow()
  const isAtTop = scroller.scrollTop === 0
  run()
  if (isAtTop) return
  // Heights become known as lines are drawn, and fillers follow: until it has not moved for two frames.
  const settle = (rounds: number, still: number) => {
    view.requestMeasure({
      read: () => placeNow() - place,
      write: (moved) => {
        scroller.scrollTop += moved
        const isStill = Math.abs(moved) < 1
        if (rounds === 0 || !scroller.isConnected || (isStill && still > 0)) return
        requestAnimationFrame(() => settle(rounds - 1, isStill ? still + 1 : 0))
      },
    })
  }
  settle(12, 0)
}
