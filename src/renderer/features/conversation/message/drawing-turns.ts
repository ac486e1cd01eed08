import { type Disposable, disposable } from '../../../../shared/lifetime'

/** A step of the list of more than this is a fast one, in pixels; so long after it one still scrolls, in milliseconds. */
const fastStep = 48
const passing = 120

const waiting = new Set<() => void>()
let request = 0
let passedAt = Number.NEGATIVE_INFINITY

/** A list has been scrolled by so many pixels. */
export function noteScroll(distance: number): void {
  if (Math.abs(distance) > fastStep) passedAt = performance.now()
}

/**
 * Has something drawn that takes as long as a frame, when nothing else is to do: one after another, and not while rows
 * fly by that nobody reads. Ended before, it is not drawn.
 */
export function awaitDrawing(draw: () => void): Disposable {
  const turn = () => draw()
  waiting.add(turn)
  ask(0)
  return disposable(() => void waiting.delete(turn))
}

function ask(rest: number): void {
  if (request !== 0 || waiting.size === 0) return
  if (rest > 0) {
    request = window.setTimeout(() => {
      request = 0
      ask(0)
    }, rest)
  } else {
    request = requestIdleCallback(
      () => {
        request = 0
        const left = passedAt + passing - performance.now()
        if (left > 0) return ask(left)
        const [next] = waiting
        if (next) {
          waiting.delete(next)
          next()
        }
        ask(0)
      },
      { timeout: 300 },
    )
  }
}
