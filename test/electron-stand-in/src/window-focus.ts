import { preventable } from './preventable'

/** A window that can have the focus. */
export interface Focusable {
  readonly id: number
  isVisible(): boolean
  isMinimized(): boolean
  emit(event: 'focus' | 'blur'): boolean
}

/** Which window has the focus: the newest in this list that can be seen, or none. */
export class WindowFocus<W extends Focusable> {
  readonly #emitApp: (name: string, ...args: unknown[]) => boolean
  #recent: W[] = []
  #focused: W | undefined

  constructor(emitApp: (name: string, ...args: unknown[]) => boolean) {
    this.#emitApp = emitApp
  }

  get focused(): W | undefined {
    return this.#focused
  }

  /** Gives the focus to a window. One that cannot be seen does not get it. */
  take(window: W): void {
    if (!window.isVisible() || window.isMinimized()) return
    this.#recent = [...this.#recent.filter((other) => other !== window), window]
    this.#move(window)
  }

  /** A window is hidden, minimized or gone: the one before it gets the focus. */
  leave(window: W, gone: boolean): void {
    if (gone) this.#recent = this.#recent.filter((other) => other !== window)
    if (this.#focused !== window) return
    if (gone) this.#focused = undefined
    this.#move(this.#recent.findLast((other) => other.isVisible() && !other.isMinimized()))
  }

  /** Takes the focus from a window and gives it to none. */
  drop(window: W): void {
    if (this.#focused === window) this.#move(undefined)
  }

  #move(next: W | undefined): void {
    const last = this.#focused
    if (last === next) return
    this.#focused = next
    if (last) {
      last.emit('blur')
      this.#emitApp('browser-window-blur', preventable({}), last)
    }
    if (next) {
      next.emit('focus')
      this.#emitApp('browser-window-focus', preventable({}), next)
    }
  }
}
