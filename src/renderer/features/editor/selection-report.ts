import type { Calls } from '../../../shared/contract/contract'

type Selection = Calls['selection.set']['params']['selection']

/**
 * Tells the host what is selected, never the same twice in a row. `read` gives undefined while the selection can't be
 * told yet; the owner then calls `changed` later. There is no batching: keys and mouse events come no more often than
 * frames, and a page busy with them runs timers up to 100 ms late.
 */
export class SelectionReport {
  readonly #read: () => Selection | undefined
  readonly #tell: (selection: Selection) => void
  #told = ''

  constructor(read: () => Selection | undefined, tell: (selection: Selection) => void) {
    this.#read = read
    this.#tell = tell
  }

  /** The selection may have changed. */
  changed(): void {
    const selection = this.#read()
    if (selection === undefined) return
    const told = JSON.stringify(selection)
    if (told === this.#told) return
    this.#told = told
    this.#tell(selection)
  }

  /** Tells it again, to a host that is newly connected. */
  forget(): void {
    this.#told = ''
    this.changed()
  }
}
