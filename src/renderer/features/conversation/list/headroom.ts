import type { Rows } from './rows'

/** So much room is made above the first row, in pixels, while there is more to come in front of it. */
const ample = 40_000
/** Only so many rows are laid out anew for one that is found to be higher than was thought. */
const mostMoved = 5000

/**
 * Room above the first row that those in front of what one reads grow into: pages that come, and rows that turn out to
 * be higher or lower than was thought. So what is in sight stays where it is in the list, and need be neither moved nor
 * painted again; without that room the list would have to be scrolled by as much.
 */
export class Headroom {
  #height = 0
  #first: string | null = null
  #count = 0
  #joint: unknown = null

  /** In pixels. */
  get height(): number {
    return this.#height
  }

  /** To be asked before rows are laid out; gives the room above them. `usual`: a row's height before it is drawn. */
  settle(rows: Rows, isWhole: boolean, usual: number): number {
    const { length } = rows
    const added = length - this.#count
    const first = length > 0 ? rows.keyAt(0) : null
    if (first !== this.#first) {
      const isInFront = this.#first !== null && added > 0 && rows.keyAt(added) === this.#first
      const left = this.#height - added * usual
      // Where the room is too small, or not wanted any more, the list itself keeps its place when rows come in front.
      if (isInFront) this.#join(this.#first)
      if (isInFront || this.#first === null) this.#height = isWhole ? 0 : isInFront && left > 0 ? left : ample
    }
    this.#first = first
    this.#count = length
    return this.#height
  }

  /** A row in front of what is in sight is higher by so much than was thought. False where there is no room for it. */
  take(index: number, by: number): boolean {
    if (this.#height === 0 || by > this.#height || this.#count - index > mostMoved) return false
    this.#height -= by
    return true
  }

  /**
   * Whether a row that changes its height is the one that rows came in front of just now: its beginning goes, such as
   * the name above it, and what stands below that is to stay.
   */
  isJoint(key: unknown): boolean {
    return this.#joint !== null && this.#joint === key
  }

  #join(key: unknown): void {
    this.#joint = key
    // Until its new height has been measured, at the end of the next frame.
    requestAnimationFrame(() => requestAnimationFrame(() => (this.#joint = null)))
  }

  /** Leaves only so much. Gives by how much that is less. */
  cut(height: number): number {
    const less = Math.max(0, this.#height - Math.max(0, height))
    this.#height -= less
    return less
  }
}
