/**
 * The first of `count` places at which something holds, found by halving; `count` where it holds at none. Where it
 * holds at one place, it must hold at all behind that.
 */
export function firstIndex(count: number, holds: (index: number) => boolean): number {
  let [low, high] = [0, count]
  while (low < high) {
    const middle = (low + high) >> 1
    if (holds(middle)) high = middle
    else low = middle + 1
  }
  return low
}
