import type { EditorView } from '@codemirror/view'
import type { Disposable } from '../../../../shared/lifetime'

/**
 * One horizontal scroll bar at the bottom of what is visible, for one editor or two beside each other: each editor is
 * as high as its text, so its own bar would be out of sight. All of them scroll as one.
 */
export class ScrollAcross implements Disposable {
  readonly dom: HTMLElement
  readonly #inner: HTMLElement
  readonly #views = new Set<EditorView>()
  #isFollowing = false

  constructor() {
    this.dom = document.createElement('div')
    this.dom.className = 'gl-across'
    this.dom.setAttribute('aria-hidden', 'true')
    this.dom.tabIndex = -1
    this.#inner = document.createElement('div')
    this.dom.append(this.#inner)
    this.dom.addEventListener('scroll', this.#hear, { passive: true })
  }

  add(view: EditorView): void {
    this.#views.add(view)
    view.scrollDOM.addEventListener('scroll', this.#hear, { passive: true })
    this.measure()
  }

  remove(view: EditorView): void {
    this.#views.delete(view)
    view.scrollDOM.removeEventListener('scroll', this.#hear)
    this.measure()
  }

  /** To be called when an editor's size or text may have become wider or narrower. */
  measure(): void {
    for (const view of this.#views) {
      view.requestMeasure({
        key: this,
        read: () => this.#reach(),
        write: (reach) => {
          this.dom.hidden = reach < 1
          this.#inner.style.width = `calc(100% + ${reach}px)`
        },
      })
      return
    }
  }

  dispose(): void {
    for (const view of this.#views) view.scrollDOM.removeEventListener('scroll', this.#hear)
    this.#views.clear()
    this.dom.remove()
  }

  /** How far the widest text can be scrolled, in pixels. */
  #reach(): number {
    return Math.max(
      0,
      ...[...this.#views].map(({ scrollDOM }) => scrollDOM.scrollWidth - scrollDOM.clientWidth),
    )
  }

  readonly #hear = (event: Event): void => {
    // Setting a position causes an event too; the first one in a frame is the person's.
    if (this.#isFollowing || !(event.target instanceof HTMLElement)) return
    this.#isFollowing = true
    const { scrollLeft } = event.target
    for (const element of [this.dom, ...[...this.#views].map((view) => view.scrollDOM)]) {
      if (element !== event.target) element.scrollLeft = scrollLeft
    }
    requestAnimationFrame(() => (this.#isFollowing = false))
  }
}
