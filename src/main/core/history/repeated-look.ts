/**
 * A look at something that changes: asked for as often as one likes, taken one after another, and once more when it
 * was asked for while one was under way. Ended, no other begins.
 */
export class RepeatedLook {
  readonly #take: () => Promise<void>
  #isWanted = false
  #looking: Promise<void> | null = null
  #isOver = false

  constructor(take: () => Promise<void>) {
    this.#take = take
  }

  /** Asks for a look; the same many calls as one. */
  ask(): void {
    this.#isWanted = true
    if (this.#isOver || this.#looking) return
    this.#looking = this.#takeWhileWanted().finally(() => {
      this.#looking = null
    })
  }

  /** Settles when all that was there at the call has been looked at. */
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
