/** About how many steps a search may take; for shorter sequences it may go further for the shortest script. */
const budget = 1 << 24

/**
 * The shortest edit script between two sequences of numbers, after Myers, searched from both ends at once so that
 * memory stays linear. A search that takes too long is cut at the furthest point reached: the result is then correct,
 * but perhaps not the shortest. Keeps its buffers between calls; not for two searches at a time.
 */
export class ShortestPath {
  #forward = new Int32Array(0)
  #backward = new Int32Array(0)

  /** Calls back with the index of every element without a partner on the other side. */
  match(
    a: Int32Array,
    b: Int32Array,
    changeA: (index: number) => void,
    changeB: (index: number) => void,
  ): void {
    this.#reserve(a.length, b.length)
    const patience = Math.max(32, Math.min(1024, Math.floor(budget / (a.length + b.length + 1))))
    const stack = [0, a.length, 0, b.length]
    while (stack.length > 0) {
      let bTo = stack.pop() ?? 0
      let bFrom = stack.pop() ?? 0
      let aTo = stack.pop() ?? 0
      let aFrom = stack.pop() ?? 0
      while (aFrom < aTo && bFrom < bTo && a[aFrom] === b[bFrom]) {
        aFrom++
        bFrom++
      }
      while (aFrom < aTo && bFrom < bTo && a[aTo - 1] === b[bTo - 1]) {
        aTo--
        bTo--
      }
      if (aFrom === aTo) for (; bFrom < bTo; bFrom++) changeB(bFrom)
      else if (bFrom === bTo) for (; aFrom < aTo; aFrom++) changeA(aFrom)
      else {
        const [x, y] = this.#findMiddle(a.subarray(aFrom, aTo), b.subarray(bFrom, bTo), patience)
        stack.push(aFrom, aFrom + x, bFrom, bFrom + y, aFrom + x, aTo, bFrom + y, bTo)
      }
    }
  }

  /** The length of the shortest edit script (lines removed plus lines added), or undefined if it is over `limit`. */
  measure(a: Int32Array, b: Int32Array, limit: number): number | undefined {
    if (Math.abs(a.length - b.length) > limit) return undefined
    const furthest = new Int32Array(2 * limit + 3)
    const zero = limit + 1
    for (let d = 0; d <= limit; d++) {
      for (let k = Math.max(-d, -b.length + ((d + b.length) & 1)); k <= Math.min(d, a.length); k += 2) {
        const left = k > -d && k > -b.length ? (furthest[zero + k - 1] ?? 0) : -1
        const above = k < d && k < a.length ? (furthest[zero + k + 1] ?? 0) : -1
        let x = d === 0 ? 0 : left >= above ? left + 1 : above
        while (x < a.length && x - k < b.length && a[x] === b[x - k]) x++
        furthest[zero + k] = x
        if (k === a.length - b.length && x >= a.length) return d
      }
    }
    return undefined
  }

  #reserve(n: number, m: number): void {
    const size = n + m + 3
    if (this.#forward.length >= size) return
    this.#forward = new Int32Array(size)
    this.#backward = new Int32Array(size)
  }

  /**
   * A point on a shortest path between the starts and the ends of both, but neither of these two. The sequences aren't
   * empty, and begin and end with different elements. Diagonal k has the points with x - y = k; the buffers hold the
   * furthest x reached on each, at index m + 1 + k.
   */
  #findMiddle(a: Int32Array, b: Int32Array, patience: number): [number, number] {
    const n = a.length
    const m = b.length
    const delta = n - m
    const odd = (delta & 1) !== 0
    const zero = m + 1
    const forward = this.#forward
    const backward = this.#backward
    let [fLow, fHigh, bLow, bHigh] = [0, 0, delta, delta]
    forward[zero] = 0
    backward[zero + delta] = n
    for (let d = 1; ; d++) {
      // One more diagonal on each side until an edge is reached; from there on one less, to keep the parity.
      if (fLow > -m) forward[zero + --fLow - 1] = -1
      else fLow++
      if (fHigh < n) forward[zero + ++fHigh + 1] = -1
      else fHigh--
      for (let k = fHigh; k >= fLow; k -= 2) {
        const left = forward[zero + k - 1] ?? 0
        const above = forward[zero + k + 1] ?? 0
        let x = left >= above ? left + 1 : above
        while (x < n && x - k < m && a[x] === b[x - k]) x++
        forward[zero + k] = x
        if (odd && k >= bLow && k <= bHigh && (backward[zero + k] ?? 0) <= x) return [x, x - k]
      }
      if (bLow > -m) backward[zero + --bLow - 1] = n + 1
      else bLow++
      if (bHigh < n) backward[zero + ++bHigh + 1] = n + 1
      else bHigh--
      for (let k = bHigh; k >= bLow; k -= 2) {
        const left = backward[zero + k - 1] ?? 0
        const above = backward[zero + k + 1] ?? 0
        let x = left < above ? left : above - 1
        while (x > 0 && x - k > 0 && a[x - 1] === b[x - k - 1]) x--
        backward[zero + k] = x
        if (!odd && k >= fLow && k <= fHigh && x <= (forward[zero + k] ?? 0)) return [x, x - k]
      }
      if (d >= patience) return this.#furthest(n, m, fLow, fHigh, bLow, bHigh)
    }
  }

  /** The point furthest from its own end among all that either search has reached. */
  #furthest(
    n: number,
    m: number,
    fLow: number,
    fHigh: number,
    bLow: number,
    bHigh: number,
  ): [number, number] {
    const zero = m + 1
    let best: [number, number] = [0, 0]
    let reached = 0
    for (let k = fHigh; k >= fLow; k -= 2) {
      const x = Math.min(this.#forward[zero + k] ?? 0, n, m + k)
      if (x >= 0 && x - k >= 0 && x + x - k > reached) [best, reached] = [[x, x - k], x + x - k]
    }
    for (let k = bHigh; k >= bLow; k -= 2) {
      const x = Math.max(this.#backward[zero + k] ?? 0, 0, k)
      if (x <= n && x - k <= m && n + m - x - x + k > reached)
        [best, reached] = [[x, x - k], n + m - x - x + k]
    }
    return best
  }
}
