import type { Disposable } from '../../../../shared/lifetime'
import type { PressGuard } from '../../../ui/browser/press-guard'

/** Where a card is, in whole pixels. */
interface Place {
  /** Its place in the list, and its scroller's in the window. */
  readonly inList: string
  readonly scrolled: number
  /** How far the list can be scrolled. */
  readonly most: number
}

/**
 * Tells the guard of a review that is a card among others: it is seen while its head is on the screen, and it has moved
 * when others made it move: a card above has come, gone, or become higher or lower, or the list has become too short
 * for how far it was scrolled. Scrolling is the person's own and moves nothing; nor does its own text, below its head.
 */
export class CardWatch implements Disposable {
  readonly #guard: PressGuard
  readonly #card: HTMLElement
  readonly #scroller: HTMLElement
  readonly #list: HTMLElement
  readonly #seeing: Disposable
  readonly #sizes = new ResizeObserver(() => this.look())
  readonly #others = new MutationObserver(() => this.look())
  #place: Place

  /** `card` is a child of `list`, which is what `scroller` scrolls; `head` is what must be seen of the card. */
  constructor(
    guard: PressGuard,
    { scroller, list, card, head }: Record<'scroller' | 'list' | 'card' | 'head', HTMLElement>,
  ) {
    this.#guard = guard
    this.#card = card
    this.#list = list
    this.#scroller = scroller
    this.#place = this.#placeNow()
    this.#seeing = guard.follow(head)
    this.#sizes.observe(list)
    this.#sizes.observe(scroller)
    this.#others.observe(list, { childList: true })
    scroller.addEventListener('scroll', this.look, { passive: true })
  }

  /** Measures where the card is. Also called before a press counts, since the observers may not have fired yet. */
  readonly look = (): void => {
    const before = this.#place
    const now = this.#placeNow()
    this.#place = now
    const isPulled = now.most < before.most && before.scrolled > now.most
    if (now.inList !== before.inList || isPulled) this.#guard.moved()
  }

  dispose(): void {
    this.#seeing.dispose()
    this.#sizes.disconnect()
    this.#others.disconnect()
    this.#scroller.removeEventListener('scroll', this.look)
  }

  #placeNow(): Place {
    const card = this.#card.getBoundingClientRect()
    const list = this.#list.getBoundingClientRect()
    const scroller = this.#scroller.getBoundingClientRect()
    const { scrollTop, scrollHeight, clientHeight } = this.#scroller
    const places = [card.top - list.top, card.width, scroller.top, scroller.left]
    return {
      inList: places.map(Math.round).join(' '),
      scrolled: Math.round(scrollTop),
      most: Math.round(scrollHeight - clientHeight),
    }
  }
}
