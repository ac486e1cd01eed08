import type { Calls } from '../../../shared/contract/contract'
import { type Disposable, disposable } from '../../../shared/lifetime'

type Selection = Calls['selection.set']['params']['selection']

/** At most one report in this many milliseconds, a frame. Adapters wait until a selection rests: waiting here adds to that. */
const pace = 16

/**
 * Tells the host what is selected, at once when nothing was told lately and else at the end of the pace, and never
 * the same twice. `read` gives undefined while the selection cannot be told yet; then someone calls `changed` later.
 */
export class SelectionReport implements Disposable {
  readonly #read: () => Selection | undefined
  readonly #tell: (selection: Selection) => void
  readonly #now: () => number
  #told = ''
  #toldAt = Number.NEGATIVE_INFINITY
  #timer: ReturnType<typeof setTimeout> | null = null
  readonly #end = disposable(() => {
    if (this.#timer !== null) clearTimeout(this.#timer)
  })

  constructor(
    read: () => Selection | undefined,
    tell: (selection: Selection) => void,
    now: () => number = () => performance.now(),
  ) {
    this.#read = read
    this.#tell = tell
    this.#now = now
  }

  /** The selection may have changed. */
  changed(): void {
    if (this.#timer !== null) return
    const wait = this.#toldAt + pace - this.#now()
    if (wait <= 0) return this.now()
    this.#timer = setTimeout(() => {
      this.#timer = null
      this.now()
    }, wait)
  }

  /** Tells it without waiting for the pace. */
  now(): void {
    const selection = this.#read()
    if (selection === undefined) return
    const told = JSON.stringify(selection)
    if (told === this.#told) return
    this.#told = told
    this.#toldAt = this.#now()
    this.#tell(selection)
  }

  /** Forgets what was told: a host that is connected anew knows nothing of it. */
  forget(): void {
    this.#told = ''
    this.changed()
  }

  dispose(): void {
    this.#end.dispose()
  }
}
