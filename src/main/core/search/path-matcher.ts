/** The letters of a list of paths, prepared for being matched again and again. */
export interface PathList {
  readonly paths: readonly string[]
  /** All paths' small letters, one path after another. */
  readonly letters: Uint16Array
  /** What each letter is worth where it stands. */
  readonly worths: Uint8Array
  /** Where each path begins in `letters`; one more, for the end. */
  readonly starts: Uint32Array
  /** Where each path's file name begins in `letters`. */
  readonly names: Uint32Array
  /** Which letters each path has, as bits: most paths are refused by one look at it. */
  readonly masks: Int32Array
}

/** Paths that match what was typed: their numbers in the list, and how well, by a quick estimate. */
export interface PathMatches {
  readonly indexes: Uint32Array
  readonly scores: Int32Array
}

/** Prepares paths, written with `/`. */
export function preparePaths(paths: readonly string[]): PathList {
  const starts = new Uint32Array(paths.length + 1)
  let total = 0
  for (let index = 0; index < paths.length; index++) {
    starts[index] = total
    total += paths[index]?.length ?? 0
  }
  starts[paths.length] = total
  const letters = new Uint16Array(total)
  const worths = new Uint8Array(total)
  const names = new Uint32Array(paths.length)
  const masks = new Int32Array(paths.length)
  for (let index = 0; index < paths.length; index++) {
    const path = paths[index] ?? ''
    const small = toLower(path)
    const start = starts[index] ?? 0
    const name = small.lastIndexOf('/') + 1
    names[index] = start + name
    let mask = 0
    let before = 47
    let isHumpBefore = true
    for (let at = 0; at < small.length; at++) {
      const code = small.charCodeAt(at)
      const isHump = path.charCodeAt(at) !== code
      mask |= bitOf(code)
      letters[start + at] = code
      worths[start + at] = worthOf(at >= name, at === name, before, isHump && !isHumpBefore)
      before = code
      isHumpBefore = isHump
    }
    masks[index] = mask
  }
  return { paths, letters, worths, starts, names, masks }
}

/** The words of what was typed; each must be in a path, in any order. A backslash counts as `/`. */
export function wordsOf(typed: string): string[] {
  return toLower(typed.replaceAll('\\', '/'))
    .split(/\s+/)
    .filter((word) => word !== '')
}

/** Which of `candidates` (all where null) match every word: its letters are in the path in their order. Unsorted. */
export function findMatches(
  list: PathList,
  words: readonly string[],
  candidates: Uint32Array | null,
): PathMatches {
  const wanted = words.map((word) => Uint16Array.from(word, (_, at) => word.charCodeAt(at)))
  const mask = words.reduce((all, word) => all | maskOf(word), 0)
  const count = candidates?.length ?? list.paths.length
  const indexes = new Uint32Array(count)
  const scores = new Int32Array(count)
  const { masks } = list
  let found = 0
  for (let at = 0; at < count; at++) {
    const index = candidates === null ? at : (candidates[at] ?? 0)
    if ((mask & ~(masks[index] ?? 0)) !== 0) continue
    let score = 0
    for (const word of wanted) {
      const own = estimate(list, index, word)
      score = own === missing ? missing : score + own
      if (score === missing) break
    }
    if (score === missing) continue
    indexes[found] = index
    scores[found] = score
    found++
  }
  return { indexes: indexes.slice(0, found), scores: scores.slice(0, found) }
}

/** The best `limit` of some matches, the best first: chosen by their estimates, ordered by exact scores. */
export function bestMatches(
  list: PathList,
  words: readonly string[],
  matches: PathMatches,
  limit: number,
): number[] {
  return pickBest(list, matches, limit * 2)
    .map((index) => ({
      index,
      score: words.reduce((sum, word) => sum + (bestWay(list, index, word)?.score ?? 0), 0),
    }))
    .toSorted((one, other) => other.score - one.score || compareTies(list, one.index, other.index))
    .slice(0, limit)
    .map(({ index }) => index)
}

/** Where in a path the letters of the words stand, ascending, each once. */
export function markLetters(list: PathList, words: readonly string[], index: number): number[] {
  const marks = new Set<number>()
  for (const word of words) for (const at of bestWay(list, index, word)?.marks ?? []) marks.add(at)
  return [...marks].sort((one, other) => one - other)
}

/** Lower case of the same length: a letter whose small form has another length stays as it is. */
function toLower(text: string): string {
  const small = text.toLowerCase()
  if (small.length === text.length) return small
  return Array.from({ length: text.length }, (_, at) => {
    const one = text.charAt(at).toLowerCase()
    return one.length === 1 ? one : text.charAt(at)
  }).join('')
}

function maskOf(text: string): number {
  let mask = 0
  for (let at = 0; at < text.length; at++) mask |= bitOf(text.charCodeAt(at))
  return mask
}

function bitOf(code: number): number {
  if (code >= 97 && code <= 122) return 1 << (code - 97)
  if (code >= 48 && code <= 57) return 1 << 26
  if (code === 46) return 1 << 27
  if (code === 45 || code === 95) return 1 << 28
  if (code === 47) return 1 << 29
  return code < 128 ? 1 << 30 : 1 << 31
}

const followsOn = 14
const gap = -6
/** No score. */
const missing = -2_000_000_000

/** A letter counts more in the name, most at its start, and where a part or a word of the path begins. */
function worthOf(isInName: boolean, isNameStart: boolean, before: number, isHump: boolean): number {
  const base = isInName ? 22 : 16
  if (isNameStart) return base + 22
  if (before === 47) return base + 14
  if (before === 45 || before === 95 || before === 46 || before === 32 || isHump) return base + 12
  return base
}

/** One way to find a word in a path, in its name if it is there: to its first end, then back to its nearest start. */
function estimate({ letters, worths, starts, names }: PathList, index: number, word: Uint16Array): number {
  const end = starts[index + 1] ?? 0
  const last = word.length - 1
  for (let pass = 0; pass < 2; pass++) {
    let at = pass === 0 ? (names[index] ?? 0) : (starts[index] ?? 0)
    let letter = 0
    while (at < end) {
      if (letters[at] === word[letter] && ++letter > last) break
      at++
    }
    if (letter <= last) continue
    let score = 0
    let next = -1
    for (letter = last; letter >= 0; at--) {
      if (letters[at] !== word[letter]) continue
      score += worths[at] ?? 0
      if (next !== -1) score += next === at + 1 ? followsOn : gap
      next = at
      letter--
    }
    return score
  }
  return missing
}

/** The best of all ways to find a word in a path; null where there is none. */
function bestWay(list: PathList, index: number, word: string): { score: number; marks: number[] } | null {
  const start = list.starts[index] ?? 0
  const width = (list.starts[index + 1] ?? 0) - start
  // Row by row: the best score with this letter here, and where its letter before stands.
  let ended = new Int32Array(width).fill(missing)
  const steps: Int32Array[] = []
  for (let letter = 0; letter < word.length; letter++) {
    const code = word.charCodeAt(letter)
    const now = new Int32Array(width).fill(missing)
    const from = new Int32Array(width).fill(-1)
    let best = missing
    let bestAt = -1
    for (let at = letter; at < width; at++) {
      // The best end of the letters before that does not touch this place.
      const skipped = at >= 2 ? (ended[at - 2] ?? missing) : missing
      if (skipped > best) {
        best = skipped
        bestAt = at - 2
      }
      if (list.letters[start + at] !== code) continue
      const own = list.worths[start + at] ?? 0
      if (letter === 0) {
        now[at] = own
        continue
      }
      const before = ended[at - 1] ?? missing
      const touching = before === missing ? missing : before + followsOn
      const apart = best === missing ? missing : best + gap
      if (touching === missing && apart === missing) continue
      now[at] = own + Math.max(touching, apart)
      from[at] = touching >= apart ? at - 1 : bestAt
    }
    steps.push(from)
    ended = now
  }
  let at = ended.reduce((top, score, place) => (score > (ended[top] ?? missing) ? place : top), 0)
  const score = ended[at] ?? missing
  if (score === missing) return null
  const marks: number[] = []
  for (let letter = word.length - 1; letter >= 0; letter--) {
    marks.unshift(at)
    at = steps[letter]?.[at] ?? -1
  }
  return { score, marks }
}

/** Of equal ones the shorter path, then the order of letters. */
function compareTies(list: PathList, one: number, other: number): number {
  const a = list.paths[one] ?? ''
  const b = list.paths[other] ?? ''
  return a.length - b.length || (a < b ? -1 : a > b ? 1 : 0)
}

/** The `limit` best by estimate, unsorted; the shortest of those that are equal. */
function pickBest(list: PathList, { indexes, scores }: PathMatches, limit: number): number[] {
  if (indexes.length <= limit) return [...indexes]
  const least = -nthSmallest(
    scores.map((score) => -score),
    limit,
  )
  const above: number[] = []
  const equal: number[] = []
  for (let at = 0; at < indexes.length; at++) {
    const score = scores[at] ?? 0
    if (score > least) above.push(indexes[at] ?? 0)
    else if (score === least) equal.push(indexes[at] ?? 0)
  }
  // Of ten thousands that are equal, the short ones without sorting all of them.
  const lengths = Int32Array.from(equal, (index) => (list.starts[index + 1] ?? 0) - (list.starts[index] ?? 0))
  const longest = nthSmallest(lengths, limit - above.length)
  const shorter = equal.filter((_, at) => (lengths[at] ?? 0) < longest)
  const asLong = equal.filter((_, at) => lengths[at] === longest)
  return [...above, ...shorter, ...asLong].slice(0, limit)
}

/** The `n`th smallest of some numbers that lie near each other, counted from 1: by counting, for sorting takes longer. */
function nthSmallest(numbers: Int32Array, n: number): number {
  let least = 0
  let most = 0
  for (let at = 0; at < numbers.length; at++) {
    const number = numbers[at] ?? 0
    if (at === 0 || number < least) least = number
    if (at === 0 || number > most) most = number
  }
  const counts = new Uint32Array(most - least + 1)
  for (let at = 0; at < numbers.length; at++) {
    const place = (numbers[at] ?? 0) - least
    counts[place] = (counts[place] ?? 0) + 1
  }
  let before = 0
  for (let place = 0; place < counts.length; place++) {
    before += counts[place] ?? 0
    if (before >= n) return least + place
  }
  return most
}
