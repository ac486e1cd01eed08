import { type PathList, type Pieces, bitOf, toLower } from './path-list'

/** Paths that match what was typed: their numbers in the list, and how well, by a quick estimate. */
export interface PathMatches {
  readonly indexes: Uint32Array
  readonly scores: Int32Array
}

/** What a letter right behind the one before it earns, and what one further on costs. */
const followsOn = 14
const gap = -6
/** No score. */
const missing = -2_000_000_000

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
  const wanted = words.map(lettersOf)
  const mask = wanted.reduce((all, word) => all | maskFrom(word, 0), 0)
  const count = candidates?.length ?? list.paths.length
  const indexes = new Uint32Array(count)
  const { folderOf } = list
  const nameMasks = list.names.masks
  const folderMasks = list.folders.masks
  let found = 0
  for (let at = 0; at < count; at++) {
    const index = candidates === null ? at : (candidates[at] ?? 0)
    const has = (nameMasks[index] ?? 0) | (folderMasks[folderOf[index] ?? 0] ?? 0)
    if ((mask & ~has) === 0) indexes[found++] = index
  }
  const scores = new Int32Array(found)
  for (const word of wanted) found = keepMatching(list, word, indexes, scores, found)
  return { indexes: indexes.slice(0, found), scores: scores.slice(0, found) }
}

/** The best `limit` of some matches, the best first: chosen by their estimates, ordered by exact scores. */
export function bestMatches(
  list: PathList,
  words: readonly string[],
  matches: PathMatches,
  limit: number,
): number[] {
  const wanted = words.map(lettersOf)
  const chosen = Array.from(pickBest(list, matches, limit * 2), (index) => {
    const path = spell(list, index)
    return { index, score: wanted.reduce((sum, word) => sum + bestWay(path, word, null), 0) }
  })
  return chosen
    .sort((one, other) => other.score - one.score || compareTies(list, one.index, other.index))
    .slice(0, limit)
    .map(({ index }) => index)
}

/**
 * Matches a few words in some of the paths, for nothing but that the engine compiles what does it: else the first
 * letters that are typed wait for that. Once for each thread.
 */
export function warmUp(list: PathList): void {
  const some = Uint32Array.from({ length: Math.min(4000, list.paths.length) }, (_, at) => at)
  for (let round = 0; round < 6; round++) {
    const path = list.paths[Math.floor((round * list.paths.length) / 6)] ?? ''
    const name = path.slice(path.lastIndexOf('/') + 1)
    for (const typed of [name.slice(0, 1), name.slice(0, 3), path.slice(0, 4) + name.slice(0, 3)]) {
      const words = wordsOf(typed)
      for (const index of bestMatches(list, words, findMatches(list, words, some), 10)) {
        markLetters(list, words, index)
      }
    }
  }
}

/** Where in a path the letters of the words stand, ascending, each once. */
export function markLetters(list: PathList, words: readonly string[], index: number): number[] {
  const path = spell(list, index)
  const marks = new Set<number>()
  for (const word of words) {
    const own: number[] = []
    bestWay(path, lettersOf(word), own)
    for (const at of own) marks.add(at)
  }
  return [...marks].sort((one, other) => one - other)
}

function lettersOf(word: string): Uint16Array {
  return Uint16Array.from({ length: word.length }, (_, at) => word.charCodeAt(at))
}

/** The letters of a word from one on, as bits. */
function maskFrom(word: Uint16Array, first: number): number {
  let mask = 0
  for (let at = first; at < word.length; at++) mask |= bitOf(word[at] ?? 0)
  return mask
}

/**
 * Keeps the first `count` of `indexes` that have a word, in their order, adds to their scores what it earns, and says
 * how many are left. The estimate is of one way to find the word, in the name if it is there: to its first end, then
 * back to its nearest start.
 */
function keepMatching(
  list: PathList,
  word: Uint16Array,
  indexes: Uint32Array,
  scores: Int32Array,
  count: number,
): number {
  const { folderOf } = list
  const { letters, worths, starts, masks } = list.names
  const rest = Int32Array.from({ length: word.length + 1 }, (_, from) => maskFrom(word, from))
  const whole = rest[0] ?? 0
  const folders = new FolderWays(list.folders, word)
  let kept = 0
  for (let at = 0; at < count; at++) {
    const index = indexes[at] ?? 0
    const lacks = ~(masks[index] ?? 0)
    const start = starts[index] ?? 0
    const end = starts[index + 1] ?? 0
    let place = (whole & lacks) === 0 ? endOf(letters, start, end, word, 0) : -1
    let own = 0
    if (place === -1) {
      const folder = folderOf[index] ?? 0
      const had = folders.count(folder)
      if (had === word.length) {
        own = folders.scoreWhole(folder)
      } else {
        if (((rest[had] ?? 0) & lacks) !== 0) continue
        place = endOf(letters, start, end, word, had)
        if (place === -1) continue
      }
    }
    if (place !== -1) {
      let letter = word.length - 1
      let wanted = word[letter]
      let next = -1
      for (; letter >= 0 && place >= start; place--) {
        if (letters[place] !== wanted) continue
        own += worths[place] ?? 0
        if (next !== -1) own += next === place + 1 ? followsOn : gap
        next = place
        letter--
        wanted = letter < 0 ? 0 : word[letter]
      }
      if (letter >= 0) own += folders.scoreRest(folderOf[index] ?? 0, letter + 1, next === start)
    }
    indexes[kept] = index
    scores[kept] = (scores[at] ?? 0) + own
    kept++
  }
  return kept
}

/** Where the last letter of a word stands if its letters from one on are looked for one after another; else -1. */
function endOf(letters: Uint16Array, start: number, end: number, word: Uint16Array, from: number): number {
  const count = word.length
  let letter = from
  let wanted = word[letter]
  // Where fewer places are left than letters, there is no end any more.
  for (let at = start; at <= end - count + letter; at++) {
    if (letters[at] !== wanted) continue
    letter++
    if (letter === count) return at
    wanted = word[letter]
  }
  return -1
}

/** How a word, or its first letters, stand in the folders of a list; found once for each folder, not for each file. */
class FolderWays {
  readonly #folders: Pieces
  readonly #word: Uint16Array
  /** How many letters each folder has, the first of the word in their order; -1: not looked at. */
  readonly #counts: Int32Array
  /** Of how many letters the score is that is known; 0: none. */
  readonly #scored: Int32Array
  readonly #scores: Int32Array
  /** Where the last of those letters stands. */
  readonly #lasts: Int32Array

  constructor(folders: Pieces, word: Uint16Array) {
    this.#folders = folders
    this.#word = word
    const count = folders.masks.length
    this.#counts = new Int32Array(count).fill(-1)
    this.#scored = new Int32Array(count)
    this.#scores = new Int32Array(count)
    this.#lasts = new Int32Array(count)
  }

  /** How many of the word's letters are in a folder, from the first on, in their order. */
  count(folder: number): number {
    const known = this.#counts[folder] ?? 0
    if (known !== -1) return known
    const { letters, starts } = this.#folders
    const word = this.#word
    const end = starts[folder + 1] ?? 0
    let letter = 0
    let wanted = word[0]
    for (let at = starts[folder] ?? 0; at < end; at++) {
      if (letters[at] !== wanted) continue
      letter++
      if (letter === word.length) break
      wanted = word[letter]
    }
    this.#counts[folder] = letter
    return letter
  }

  /** What the word earns in a folder that has it. */
  scoreWhole(folder: number): number {
    const { letters, starts } = this.#folders
    const start = starts[folder] ?? 0
    if (this.#scored[folder] === 0) {
      this.#score(folder, this.#word.length, endOf(letters, start, starts[folder + 1] ?? 0, this.#word, 0))
    }
    return this.#scores[folder] ?? 0
  }

  /** What the word's first `count` letters earn in a folder that has them, where the next one is in the name. */
  scoreRest(folder: number, count: number, isAtNameStart: boolean): number {
    const last = (this.#folders.starts[folder + 1] ?? 0) - 1
    if (this.#scored[folder] !== count) this.#score(folder, count, last)
    const isTouching = isAtNameStart && this.#lasts[folder] === last
    return (this.#scores[folder] ?? 0) + (isTouching ? followsOn : gap)
  }

  #score(folder: number, count: number, from: number): void {
    const { letters, worths, starts } = this.#folders
    const start = starts[folder] ?? 0
    const word = this.#word
    let score = 0
    let next = -1
    let letter = count - 1
    let wanted = word[letter]
    for (let at = from; at >= start; at--) {
      if (letters[at] !== wanted) continue
      score += worths[at] ?? 0
      if (next === -1) this.#lasts[folder] = at
      else score += next === at + 1 ? followsOn : gap
      if (letter === 0) break
      next = at
      letter--
      wanted = word[letter]
    }
    this.#scored[folder] = count
    this.#scores[folder] = score
  }
}

/** One path's letters and their worths. */
interface Spelled {
  letters: Uint16Array
  worths: Uint8Array
  length: number
}

/** Room for one path at a time, and for the rows of `bestWay`: hundreds of paths are looked at for a key press. */
const spelled: Spelled = { letters: new Uint16Array(256), worths: new Uint8Array(256), length: 0 }
let rows = [new Int32Array(256), new Int32Array(256)] as const
let steps = new Int32Array(4096)

/** Puts folder and name together again; holds until the next call. */
function spell({ folders, names, folderOf }: PathList, index: number): Spelled {
  const folder = folderOf[index] ?? 0
  const from = folders.starts[folder] ?? 0
  const to = folders.starts[folder + 1] ?? 0
  const start = names.starts[index] ?? 0
  const end = names.starts[index + 1] ?? 0
  spelled.length = to - from + end - start
  if (spelled.length > spelled.letters.length) {
    spelled.letters = new Uint16Array(spelled.length * 2)
    spelled.worths = new Uint8Array(spelled.length * 2)
    rows = [new Int32Array(spelled.length * 2), new Int32Array(spelled.length * 2)]
  }
  spelled.letters.set(folders.letters.subarray(from, to))
  spelled.letters.set(names.letters.subarray(start, end), to - from)
  spelled.worths.set(folders.worths.subarray(from, to))
  spelled.worths.set(names.worths.subarray(start, end), to - from)
  return spelled
}

/** The score of the best of all ways to find a word in a path that has it; adds that way's places to `marks`. */
function bestWay({ letters, worths, length }: Spelled, word: Uint16Array, marks: number[] | null): number {
  if (marks !== null && steps.length < word.length * length) steps = new Int32Array(word.length * length * 2)
  // Row by row: the best score with this letter here, and where its letter before stands.
  let [ended, now] = rows
  for (let letter = 0; letter < word.length; letter++) {
    const code = word[letter]
    let best = missing
    let bestAt = -1
    now.fill(missing, 0, length)
    for (let at = letter; at < length; at++) {
      // The best end of the letters before that does not touch this place.
      const skipped = letter > 0 && at >= 2 ? (ended[at - 2] ?? missing) : missing
      if (skipped > best) {
        best = skipped
        bestAt = at - 2
      }
      if (letters[at] !== code) continue
      const own = worths[at] ?? 0
      if (letter === 0) {
        now[at] = own
        continue
      }
      const before = ended[at - 1] ?? missing
      const touching = before === missing ? missing : before + followsOn
      const apart = best === missing ? missing : best + gap
      if (touching === missing && apart === missing) continue
      now[at] = own + Math.max(touching, apart)
      if (marks !== null) steps[letter * length + at] = touching >= apart ? at - 1 : bestAt
    }
    ;[ended, now] = [now, ended]
  }
  let top = 0
  for (let at = 1; at < length; at++) if ((ended[at] ?? missing) > (ended[top] ?? missing)) top = at
  const score = ended[top] ?? missing
  if (score === missing) return 0
  if (marks !== null) {
    for (let letter = word.length - 1; letter >= 0; letter--) {
      marks.push(top)
      top = steps[letter * length + top] ?? 0
    }
  }
  return score
}

/** Of equal ones the shorter path, then the order of letters. */
function compareTies(list: PathList, one: number, other: number): number {
  const a = list.paths[one] ?? ''
  const b = list.paths[other] ?? ''
  return a.length - b.length || (a < b ? -1 : a > b ? 1 : 0)
}

/** The `limit` best by estimate, unsorted; the shortest of those that are equal, and the first of those. */
function pickBest({ paths }: PathList, { indexes, scores }: PathMatches, limit: number): Uint32Array {
  if (indexes.length <= limit) return indexes
  const least = nthLargest(scores, limit)
  const picked = new Uint32Array(limit)
  const equal = new Uint32Array(indexes.length)
  let above = 0
  let equals = 0
  for (let at = 0; at < indexes.length; at++) {
    const score = scores[at] ?? 0
    if (score > least) picked[above++] = indexes[at] ?? 0
    else if (score === least) equal[equals++] = indexes[at] ?? 0
  }
  // Of ten thousands that are equal, the short ones without sorting all of them.
  const shortness = new Int32Array(equals)
  for (let at = 0; at < equals; at++) shortness[at] = -(paths[equal[at] ?? 0]?.length ?? 0)
  const longest = nthLargest(shortness, limit - above)
  let next = above
  for (let at = 0; at < equals; at++) if ((shortness[at] ?? 0) > longest) picked[next++] = equal[at] ?? 0
  for (let at = 0; at < equals && next < limit; at++) {
    if (shortness[at] === longest) picked[next++] = equal[at] ?? 0
  }
  return picked
}

/** The `n`th largest of some numbers that lie near each other, counted from 1: by counting, for sorting takes longer. */
function nthLargest(numbers: Int32Array, n: number): number {
  let least = numbers[0] ?? 0
  let most = least
  for (let at = 1; at < numbers.length; at++) {
    const number = numbers[at] ?? 0
    if (number < least) least = number
    else if (number > most) most = number
  }
  const counts = new Uint32Array(most - least + 1)
  for (let at = 0; at < numbers.length; at++) {
    const place = (numbers[at] ?? 0) - least
    counts[place] = (counts[place] ?? 0) + 1
  }
  let before = 0
  for (let place = counts.length - 1; place >= 0; place--) {
    before += counts[place] ?? 0
    if (before >= n) return least + place
  }
  return least
}
