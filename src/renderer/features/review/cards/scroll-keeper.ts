import { firstIndex } from '../../../../shared/first-index'
import type { Disposable } from '../../../../shared/lifetime'

/** How many cards, from the first visible one on, are remembered, in case the first ones go. */
const remembered = 4

/**
 * Keeps the visible part of a list in place while cards above it come, go, or turn out higher than guessed. The
 * browser's own anchoring is switched off (`overflow-anchor`): it follows parts of cards that are drawn anew.
 */
export class ScrollKeeper implements Disposable {
  readonly #scroller: HTMLElement
  readonly #list: HTMLElement
  readonly #sizes = new ResizeObserver(() => this.#keep())
  readonly #cards = new MutationObserver(() => this.#keep())
  /** The first visible cards, each with its distance from the top of the list, in pixels. */
  #places: [Element, number][] = []

  /** `list` is what `scroller` scrolls; its children are the cards, from top to bottom. */
  constructor(scroller: HTMLElement, list: HTMLElement) {
    this.#scroller = scroller
    this.#list = list
    this.#sizes.observe(list)
    this.#cards.observe(list, { childList: true })
    scroller.addEventListener('scroll', this.#keep, { passive: true })
    this.#remember()
  }

  dispose(): void {
    this.#sizes.disconnect()
    this.#cards.disconnect()
    this.#scroller.removeEventListener('scroll', this.#keep)
  }

  /** Distances count from the top of the list, so scrolling alone changes none. */
  readonly #keep = (): void => {
    const anchor = this.#places.find(([card]) => card.parentElement === this.#list)
    if (anchor && this.#scroller.scrollTop > 0) {
      const moved = this.#placeOf(anchor[0]) - anchor[1]
      if (Math.abs(moved) >= 1) this.#scroller.scrollTop += moved
    }
    this.#remember()
  }

  #remember(): void {
    const cards = this.#list.children
    const top = this.#scroller.getBoundingClientRect().top
    const from = firstIndex(
      cards.length,
      (index) => (cards[index]?.getBoundingClientRect().bottom ?? 0) > top,
    )
    this.#places = []
    for (let index = from; index < Math.min(from + remembered, cards.length); index++) {
      const card = cards[index]
      if (card) this.#places.push([card, this.#placeOf(card)])
    }
  }

  #placeOf(card: Element): number {
    return card.getBoundingClientRect().top - this.#list.getBoundingClientRect().top
  }
}
