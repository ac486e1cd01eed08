import type { Disposable } from '../../../../shared/lifetime'

/** So far above and below what is visible a card is near, in pixels. */
const reach = 1000

/** Hears whether a card is near, and how high it stands in the page now. */
type Hear = (isNear: boolean, height: number) => void

/** Knows which cards of a list are near what is visible of it, so that only those need their texts. */
export class NearCards implements Disposable {
  readonly #observer: IntersectionObserver
  readonly #hearers = new Map<Element, Hear>()

  constructor(readonly scroller: HTMLElement) {
    this.#observer = new IntersectionObserver(
      (entries) => {
        // A list that is hidden says nothing about what is near in it.
        if (scroller.clientHeight === 0) return
        for (const { target, isIntersecting, boundingClientRect } of entries) {
          this.#hearers.get(target)?.(isIntersecting, boundingClientRect.height)
        }
      },
      { root: scroller, rootMargin: `${reach}px 0px` },
    )
  }

  /** Tells about one card, soon and whenever it changes; gives what ends that. */
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
