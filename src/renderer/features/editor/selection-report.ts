import type { Calls } from '../../../shared/contract/contract'

type Selection = Calls['selection.set']['params']['selection']

/**
 * Tells the host what is selected, and never the same twice. `read` gives undefined while the selection cannot be told
 * yet; then someone calls `changed` later. Nothing is held back to be told together: keys and mouse come no oftener
 * than frames, and a page that is busy with them runs a timer up to 100 ms late.
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

  /** Forgets what was told: a host that is connected anew knows nothing of it. */
  forget(): void {
    this.#told = ''
    this.changed()
  }
}
