/** What remembers in the order in which it was told: a map or a set. */
interface Remembered<Key> {
  readonly size: number
  keys(): Iterable<Key>
  delete(key: Key): boolean
}

/** Forgets what was put in first, as long as there are more than `most`. */
export function dropOldest<Key>(items: Remembered<Key>, most: number): void {
  for (const key of items.keys()) {
    if (items.size <= most) return
    items.delete(key)
  }
}
