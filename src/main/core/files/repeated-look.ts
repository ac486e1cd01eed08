/**
 * Runs a task that looks at something changing: one run at a time, and once more if asked for during a run. None begins
 * after disposal.
 */
export class RepeatedLook {
  readonly #take: () => Promise<void>
  #isWanted = false
  #looking: Promise<void> | null = null
  #isOver = false

  constructor(take: () => Promise<void>) {
    this.#take = take
  }

  /** Requests a run; many requests may share one. */
  ask(): void {
    this.#isWanted = true
    if (this.#isOver || this.#looking) return
    this.#looking = this.#takeWhileWanted().finally(() => {
      this.#looking = null
    })
  }

  /** Settles when everything there at the time of the call has been looked at. */
  async settled(): Promise<void> {
    this.ask()
    while (this.#looking) await this.#looking
  }

  dispose(): void {
    this.#isOver = true
  }

  async #takeWhileWanted(): Promise<void> {
    while (this.#isWanted && !this.#isOver) {
      this.#isWanted = false
      await this.#take()
    }
  }
}
