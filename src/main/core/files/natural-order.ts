const collator = new Intl.Collator(undefined, { numeric: true, sensitivity: 'base' })

/** The order people expect of names: "2" before "10", regardless of case and accents. 0 only for equal names. */
export function compareNames(one: string, other: string): number {
  return collator.compare(one, other) || (one < other ? -1 : one > other ? 1 : 0)
}

/** How many items are processed between pauses. */
const atOnce = 4096

/** Sorts like Array.sort, with pauses, so that 100,000 items don't hold up other work. Doesn't change `items`. */
export async function sortInSlices<T>(
  items: readonly T[],
  compare: (one: T, other: T) => number,
  pause: () => Promise<unknown>,
): Promise<T[]> {
  let runs: T[][] = []
  for (let at = 0; at < items.length; at += atOnce) {
    runs.push(items.slice(at, at + atOnce).sort(compare))
    if (items.length > atOnce) await pause()
  }
  while (runs.length > 1) {
    const merged: T[][] = []
    for (let at = 0; at < runs.length; at += 2) {
      const [one = [], other = []] = [runs[at], runs[at + 1]]
      merged.push(other.length === 0 ? one : await mergeRuns(one, other, compare, pause))
    }
    runs = merged
  }
  return runs[0] ?? []
}

/**
 * The first `count` items of what `sortInSlices` would return, much sooner: most items are only compared with the last
 * of the first.
 */
export async function firstInOrder<T>(
  items: readonly T[],
  count: number,
  compare: (one: T, other: T) => number,
  pause: () => Promise<unknown>,
): Promise<T[]> {
  let first: T[] = []
  /** The last of the first, once there are `count`. */
  let last: { item: T } | null = null
  const cut = () => {
    first = first.sort(compare).slice(0, count)
    const [item] = first.slice(-1)
    last = first.length === count && item !== undefined ? { item } : null
  }
  for (const [index, item] of items.entries()) {
    if (last === null || compare(item, (last as { item: T }).item) < 0) first.push(item)
    if (first.length >= 2 * count) cut()
    if ((index + 1) % atOnce === 0) await pause()
  }
  cut()
  return first
}

async function mergeRuns<T>(
  one: readonly T[],
  other: readonly T[],
  compare: (one: T, other: T) => number,
  pause: () => Promise<unknown>,
): Promise<T[]> {
  const merged: T[] = []
  let [i, j] = [0, 0]
  while (i < one.length && j < other.length) {
    const [left, right] = [one[i] as T, other[j] as T]
    if (compare(left, right) <= 0) {
      merged.push(left)
      i++
    } else {
      merged.push(right)
      j++
    }
    if (merged.length % atOnce === 0) await pause()
  }
  for (; i < one.length; i++) merged.push(one[i] as T)
  for (; j < other.length; j++) merged.push(other[j] as T)
  return merged
}
