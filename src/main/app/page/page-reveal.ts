import { type Disposable, type Listen, Emitter } from '../../../shared/lifetime'

/** A place in an open file to be shown. */
export interface Reveal {
  path: string
  selection: { start: { line: number; character: number }; end: { line: number; character: number } } | null
  focus: boolean
}

/** Has the page scroll an open file to a place and select it. */
export class PageReveal implements Disposable {
  readonly #asked = new Emitter<Reveal>()
  readonly onReveal: Listen<Reveal> = this.#asked.on

  show(reveal: Reveal): void {
    this.#asked.emit(reveal)
  }

  dispose(): void {
    this.#asked.dispose()
  }
}
