/**
 * How much was given to a consumer that has not dealt with it yet. It is exhausted from the high mark until it falls to
 * the low one, so that giving doesn't stutter.
 */
export class ScreenCredit {
  readonly #high: number
  readonly #low: number
  #outstanding = 0
  #exhausted = false

  constructor(high: number, low: number) {
    this.#high = high
    this.#low = low
  }

  get exhausted(): boolean {
    return this.#exhausted
  }

  give(amount: number): void {
    this.#outstanding += amount
    if (this.#outstanding > this.#high) this.#exhausted = true
  }

  /** More than was given counts as all of it. */
  takeBack(amount: number): void {
    this.#outstanding = Math.max(0, this.#outstanding - amount)
    if (this.#outstanding <= this.#low) this.#exhausted = false
  }

  reset(): void {
    this.#outstanding = 0
    this.#exhausted = false
  }
}
