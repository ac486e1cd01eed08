import type { Disposable } from '../../../../shared/lifetime'

/** How far above and below the visible part a card counts as near, in pixels. */
const reach = 1000

/** Hears whether a card is near, and its height now, in pixels. */
type Hear = (isNear: boolean, height: number) => void

/** Knows which cards of a list are near its visible part, so that only those load their texts. */
export class NearCards implements Disposable {
  readonly #observer: IntersectionObserver
  readonly #hearers = new Map<Element, Hear>()

  constructor(readonly scroller: HTMLElement) {
    this.#observer = new IntersectionObserver(
      (entries) => {
        // A hidden list says nothing about what is near.
        if (scroller.clientHeight === 0) return
        for (const { target, isIntersecting, boundingClientRect } of entries) {
          this.#hearers.get(target)?.(isIntersecting, boundingClientRect.height)
        }
      },
      { root: scroller, rootMargin: `${reach}px 0px` },
    )
  }

  /** Reports about one card, soon and whenever it changes. Returns what ends that. */
  watch(card: Element, hear: Hear): () => void {
    this.#hearers.set(card, hear)
    this.#observer.observe(card)
    return () => {
      this.#hearers.delete(card)
      this.#observer.unobserve(card)
    }
  }

  dispose(): void {
    this.#observer.disconnect()
    this.#hearers.clear()
  }
}
