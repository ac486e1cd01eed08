import { type Disposable, Emitter, disposable } from '../../../shared/lifetime'

/** How long a request must have been visible before it can be answered, in milliseconds. */
export const visibleTime = 400
/** How much of an element must be on the screen for it to be seen. */
const seenPart = 0.9

/**
 * Keeps a person from deciding what they have not seen: nothing counts until the review or approval has been visible
 * and in one place for a while, and neither does a press that began before that. Keys go to what has the focus, wherever
 * it has moved since; a press of the pointer goes to what is under it.
 */
export class PressGuard implements Disposable {
  #timer: ReturnType<typeof setTimeout> | undefined
  #isReady = false
  #isSeen = false
  #isVisible = false
  #press: { button: Element | null; counts: boolean } | null = null
  readonly #changes = new Emitter<boolean>()

  /** Fires when presses begin to count and when they no longer do. */
  readonly onChange = this.#changes.on

  /** Whether presses count: it has been visible, and in one place, for long enough. */
  get isReady(): boolean {
    return this.#isReady
  }

  /** Whether keys count: the same, but it may have moved since. */
  get isSeen(): boolean {
    return this.#isSeen
  }

  /** It is shown now, or hidden. */
  setVisible(isVisible: boolean): void {
    if (isVisible === this.#isVisible) return
    this.#isVisible = isVisible
    this.restart()
  }

  /** Starts the wait again: what is shown has changed, or has just got the focus. */
  restart(): void {
    this.#isSeen = false
    this.moved()
  }

  /** Starts the wait again for presses: what is shown is elsewhere on the screen now. */
  moved(): void {
    clearTimeout(this.#timer)
    this.#setReady(false)
    this.#press = null
    if (!this.#isVisible) return
    this.#timer = setTimeout(() => {
      this.#isSeen = true
      this.#setReady(true)
    }, visibleTime)
  }

  /** Visible while `element` is on the screen, until the result is disposed. */
  follow(element: Element): Disposable {
    let isOnScreen = false
    const look = () => this.setVisible(isOnScreen && document.visibilityState === 'visible')
    const seeing = new IntersectionObserver(
      (entries) => {
        isOnScreen = (entries.at(-1)?.intersectionRatio ?? 0) >= seenPart
        look()
      },
      { threshold: [0, seenPart, 1] },
    )
    seeing.observe(element)
    document.addEventListener('visibilitychange', look)
    return disposable(() => {
      document.removeEventListener('visibilitychange', look)
      seeing.disconnect()
      this.setVisible(false)
    })
  }

  /** Starts the wait again whenever one of these changes its size, until the result is disposed. */
  restartOnResize(...elements: readonly Element[]): Disposable {
    const sizes = new ResizeObserver(() => this.restart())
    for (const element of elements) sizes.observe(element)
    return disposable(() => sizes.disconnect())
  }

  /** A press of the mouse, a finger or a pen begins. */
  begin(target: EventTarget | null): void {
    const button = target instanceof Element ? target.closest('button') : null
    this.#press = { button, counts: this.#isReady }
  }

  /**
   * Whether a click on a button counts. A click by keyboard or by assistive technology has no press before it
   * (`detail` 0).
   */
  counts(button: Element, detail: number): boolean {
    const press = this.#press
    this.#press = null
    if (detail === 0) return this.#isSeen
    return this.#isReady && press !== null && press.counts && press.button === button
  }

  dispose(): void {
    clearTimeout(this.#timer)
    this.#changes.dispose()
  }

  #setReady(isReady: boolean): void {
    if (isReady === this.#isReady) return
    this.#isReady = isReady
    this.#changes.emit(isReady)
  }
}
