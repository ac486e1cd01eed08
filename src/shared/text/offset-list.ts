import { firstIndex } from '../first-index'

/** A list sorted by offset, whatever the order in which items are added. Adding at the end takes constant time. */
export class OffsetList<T extends { readonly offset: number }> {
  #items: T[] = []
  #isSorted = true

  add(item: T): void {
    const last = this.#items.at(-1)
    if (last && last.offset > item.offset) this.#isSorted = false
    this.#items.push(item)
  }

  /** All of them, in order. */
  get all(): readonly T[] {
    if (!this.#isSorted) {
      this.#items.sort((a, b) => a.offset - b.offset)
      this.#isSorted = true
    }
    return this.#items
  }

  /** The index of the first one at or after an offset; the length if there is none. */
  #placeOf(offset: number): number {
    const items = this.all
    return firstIndex(items.length, (index) => (items[index]?.offset ?? 0) >= offset)
  }

  /** The first one at or after an offset. */
  firstFrom(offset: number): T | undefined {
    return this.all[this.#placeOf(offset)]
  }

  /** The last one before an offset. */
  lastBefore(offset: number): T | undefined {
    return this.all[this.#placeOf(offset) - 1]
  }
}
