import { firstIndex } from '../first-index'
import { ShortestPath } from './line-path'

/** Lines `aFrom` to `aTo` of A against `bFrom` to `bTo` of B, still to be matched. */
interface Region {
  aFrom: number
  aTo: number
  bFrom: number
  bTo: number
  depth: number
}

/** How deep to look for anchors between anchors; beyond that the shortest path decides. */
const deepest = 24
/** A region of up to this many lines is always compared with its shortest diff. */
const smallRegion = 1024
/** In a larger one the shortest diff is searched only up to this many changed lines. */
const longestCheck = 512

/**
 * Matches two sequences of line numbers below `distinct`; equal lines have equal numbers. Lines that occur once on each
 * side are anchors (the longest run of them in the same order on both sides). The gaps between anchors are matched the
 * same way, or by the shortest path if a gap has none. Anchors can mislead: if they cost clearly more changed lines
 * than the shortest diff, that is used instead. Gives 1 for each line without a partner, else 0.
 */
export function matchLines(a: Int32Array, b: Int32Array, distinct: number) {
  const matcher = new Matcher(a, b, distinct)
  matcher.match()
  const { changedA, changedB } = matcher
  return { changedA, changedB }
}

class Matcher {
  readonly changedA: Uint8Array
  readonly changedB: Uint8Array
  readonly #a: Int32Array
  readonly #b: Int32Array
  readonly #path: ShortestPath
  // How often each line occurs in the current region, and where it was last seen.
  readonly #countA: Int32Array
  readonly #countB: Int32Array
  readonly #placeA: Int32Array

  constructor(a: Int32Array, b: Int32Array, distinct: number) {
    this.#a = a
    this.#b = b
    this.changedA = new Uint8Array(a.length)
    this.changedB = new Uint8Array(b.length)
    this.#path = new ShortestPath()
    this.#countA = new Int32Array(distinct)
    this.#countB = new Int32Array(distinct)
    this.#placeA = new Int32Array(distinct)
  }

  match(): void {
    const whole: Region = { aFrom: 0, aTo: this.#a.length, bFrom: 0, bTo: this.#b.length, depth: 0 }
    const isSmall = sizeOf(whole) <= smallRegion
    const stack = [whole]
    for (let region = stack.pop(); region; region = stack.pop()) {
      if (sizeOf(region) <= smallRegion) this.#matchChecked(region, smallRegion)
      else this.#step(region, stack)
    }
    if (!isSmall) this.#shorten(whole, longestCheck)
  }

  #matchChecked(region: Region, limit: number): void {
    const stack = [region]
    for (let next = stack.pop(); next; next = stack.pop()) this.#step(next, stack)
    this.#shorten(region, limit)
  }

  /** Marks what is certain in a region and puts the rest on the stack. */
  #step(region: Region, stack: Region[]): void {
    const rest = this.#trim(region)
    const { aFrom, aTo, bFrom, bTo } = rest
    if (aFrom === aTo) this.changedB.fill(1, bFrom, bTo)
    else if (bFrom === bTo) this.changedA.fill(1, aFrom, aTo)
    else {
      const anchors = rest.depth < deepest ? this.#findAnchors(rest) : []
      if (anchors.length === 0) this.#matchShortest(rest)
      else {
        let [a, b] = [aFrom, bFrom]
        for (const anchor of anchors) {
          stack.push({ aFrom: a, aTo: anchor.a, bFrom: b, bTo: anchor.b, depth: rest.depth + 1 })
          ;[a, b] = [anchor.a + 1, anchor.b + 1]
        }
        stack.push({ aFrom: a, aTo, bFrom: b, bTo, depth: rest.depth + 1 })
      }
    }
  }

  #trim({ aFrom, aTo, bFrom, bTo, depth }: Region): Region {
    while (aFrom < aTo && bFrom < bTo && this.#a[aFrom] === this.#b[bFrom]) {
      aFrom++
      bFrom++
    }
    while (aFrom < aTo && bFrom < bTo && this.#a[aTo - 1] === this.#b[bTo - 1]) {
      aTo--
      bTo--
    }
    return { aFrom, aTo, bFrom, bTo, depth }
  }

  /** The longest run, in the same order on both sides, of lines that occur once on each side of the region. */
  #findAnchors(region: Region): { a: number; b: number }[] {
    this.#count(region)
    // Patience: piles of B's places, the top of each smaller than that of the next pile.
    const unique: { a: number; b: number; before: number }[] = []
    const tops: number[] = []
    for (let b = region.bFrom; b < region.bTo; b++) {
      const line = this.#b[b] ?? 0
      if (this.#countA[line] !== 1 || this.#countB[line] !== 1) continue
      const a = this.#placeA[line] ?? 0
      const pile = firstIndex(tops.length, (index) => (unique[tops[index] ?? 0]?.a ?? 0) >= a)
      tops[pile] = unique.length
      unique.push({ a, b, before: tops[pile - 1] ?? -1 })
    }
    const anchors: { a: number; b: number }[] = []
    for (let i = tops.at(-1) ?? -1; i >= 0;) {
      const found = unique[i]
      if (!found) break
      anchors.push(found)
      i = found.before
    }
    return anchors.reverse()
  }

  #count({ aFrom, aTo, bFrom, bTo }: Region): void {
    for (let a = aFrom; a < aTo; a++) this.#countA[this.#a[a] ?? 0] = 0
    for (let b = bFrom; b < bTo; b++) {
      const line = this.#b[b] ?? 0
      this.#countA[line] = 0
      this.#countB[line] = 0
    }
    for (let a = aFrom; a < aTo; a++) {
      const line = this.#a[a] ?? 0
      this.#countA[line] = (this.#countA[line] ?? 0) + 1
      this.#placeA[line] = a
      this.#countB[line] = 0
    }
    for (let b = bFrom; b < bTo; b++) {
      const line = this.#b[b] ?? 0
      this.#countB[line] = (this.#countB[line] ?? 0) + 1
    }
  }

  /** Lines that the other side of the region lacks are changed in any case; the path is searched among the rest. */
  #matchShortest(region: Region): void {
    this.#count(region)
    const a = this.#shared(this.#a, region.aFrom, region.aTo, this.#countB, this.changedA)
    const b = this.#shared(this.#b, region.bFrom, region.bTo, this.#countA, this.changedB)
    this.#path.match(
      a.lines,
      b.lines,
      (i) => (this.changedA[a.places[i] ?? 0] = 1),
      (i) => (this.changedB[b.places[i] ?? 0] = 1),
    )
  }

  #shared(lines: Int32Array, from: number, to: number, others: Int32Array, changed: Uint8Array) {
    const kept = new Int32Array(to - from)
    const places = new Int32Array(to - from)
    let size = 0
    for (let i = from; i < to; i++) {
      const line = lines[i] ?? 0
      if (others[line] === 0) changed[i] = 1
      else {
        kept[size] = line
        places[size++] = i
      }
    }
    return { lines: kept.subarray(0, size), places: places.subarray(0, size) }
  }

  /** Uses the shortest diff of a region instead, if it is clearly shorter and quickly found. */
  #shorten(region: Region, limit: number): void {
    const { aFrom, aTo, bFrom, bTo } = region
    let marked = 0
    for (let a = aFrom; a < aTo; a++) marked += this.changedA[a] ?? 0
    for (let b = bFrom; b < bTo; b++) marked += this.changedB[b] ?? 0
    const enough = Math.floor((marked - 2) / 1.25)
    if (enough < Math.abs(aTo - aFrom - (bTo - bFrom))) return
    const rest = this.#trim(region)
    const found = this.#path.measure(
      this.#a.subarray(rest.aFrom, rest.aTo),
      this.#b.subarray(rest.bFrom, rest.bTo),
      Math.min(enough, limit),
    )
    if (found === undefined) return
    this.changedA.fill(0, aFrom, aTo)
    this.changedB.fill(0, bFrom, bTo)
    this.#matchShortest(rest)
  }
}

function sizeOf(region: Region): number {
  return region.aTo - region.aFrom + (region.bTo - region.bFrom)
}
