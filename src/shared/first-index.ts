/**
 * The first index below `count` where something holds, by binary search; `count` if there is none. If it holds at one
 * index, it must hold at all after that.
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
