/** The letters of a list of paths, prepared for repeated matching. */
export interface PreparedPaths {
  readonly paths: readonly string[]
  /** The lower-case letters of all paths, one after another, and the worth of each at its place. */
  readonly letters: Uint16Array
  readonly worths: Uint8Array
  /** Where each path begins, and the end of the last. */
  readonly starts: Uint32Array
  /** Where each path's file name begins. */
  readonly names: Uint32Array
  /** Which letters each path contains, as bits: most paths are ruled out by this alone. */
  readonly masks: Int32Array
}

/** Paths are written with `/`. */
export function preparePaths(paths: readonly string[]): PreparedPaths {
  const starts = new Uint32Array(paths.length + 1)
  let total = 0
  for (const [index, path] of paths.entries()) {
    starts[index] = total
    total += path.length
  }
  starts[paths.length] = total
  const letters = new Uint16Array(total)
  const worths = new Uint8Array(total)
  const names = new Uint32Array(paths.length)
  const masks = new Int32Array(paths.length)
  let place = 0
  for (const [index, path] of paths.entries()) {
    const small = toLower(path)
    const name = path.lastIndexOf('/') + 1
    names[index] = place + name
    let mask = 0
    let before = 47
    let isHumpBefore = true
    for (let at = 0; at < path.length; at++, place++) {
      const code = small.charCodeAt(at)
      const isHump = path.charCodeAt(at) !== code
      mask |= bitOf(code)
      letters[place] = code
      worths[place] = worthOf(at - name, before, isHump && !isHumpBefore)
      before = code
      isHumpBefore = isHump
    }
    masks[index] = mask
  }
  return { paths, letters, worths, starts, names, masks }
}

/** Paths that match what was typed: their indexes in the list, and quickly estimated scores. */
export interface PathMatches {
  readonly indexes: Uint32Array
  readonly scores: Int32Array
}

/** What a letter earns right after the one before it, and loses further on. */
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

/** Which of `candidates` (null: all) match every word: its letters are in the path in order. Unsorted. */
export function findMatches(
  list: PreparedPaths,
  words: readonly string[],
  candidates: Uint32Array | null,
): PathMatches {
  const wanted = words.map(lettersOf)
  const mask = wanted.reduce((all, word) => word.reduce((bits, code) => bits | bitOf(code), all), 0)
  const count = candidates?.length ?? list.paths.length
  const indexes = new Uint32Array(count)
  const scores = new Int32Array(count)
  let found = 0
  next: for (let at = 0; at < count; at++) {
    const index = candidates === null ? at : (candidates[at] ?? 0)
    if ((mask & ~(list.masks[index] ?? 0)) !== 0) continue
    let score = 0
    for (const word of wanted) {
      const own = estimate(list, index, word)
      if (own === missing) continue next
      score += own
    }
    indexes[found] = index
    scores[found++] = score
  }
  return { indexes: indexes.slice(0, found), scores: scores.slice(0, found) }
}

/** The best `limit` matches, best first: chosen by their estimates, sorted by exact scores. */
export function bestMatches(
  list: PreparedPaths,
  words: readonly string[],
  matches: PathMatches,
  limit: number,
): number[] {
  const wanted = words.map(lettersOf)
  return pickBest(list, matches, limit * 2)
    .map((index) => ({
      index,
      score: wanted.reduce((sum, word) => sum + bestWay(list, index, word, null), 0),
    }))
    .sort((one, other) => other.score - one.score || compareTies(list, one.index, other.index))
    .slice(0, limit)
    .map(({ index }) => index)
}

/** Where in a path the letters of the words are, ascending, each once. */
export function markLetters(list: PreparedPaths, words: readonly string[], index: number): number[] {
  const marks: number[] = []
  for (const word of words) bestWay(list, index, lettersOf(word), marks)
  return [...new Set(marks)].sort((one, other) => one - other)
}

function lettersOf(word: string): Uint16Array {
  return Uint16Array.from({ length: word.length }, (_, at) => word.charCodeAt(at))
}

/**
 * A word's score for one way to find it in a path, in the file name if possible: to its first end, then back to its
 * nearest start. `missing` if the path doesn't match.
 */
function estimate(
  { letters, worths, starts, names }: PreparedPaths,
  index: number,
  word: Uint16Array,
): number {
  const end = starts[index + 1] ?? 0
  let place = endOf(letters, names[index] ?? 0, end, word)
  if (place === -1) place = endOf(letters, starts[index] ?? 0, end, word)
  if (place === -1) return missing
  let score = 0
  let next = -1
  for (let letter = word.length - 1; letter >= 0; place--) {
    if (letters[place] !== word[letter]) continue
    score += worths[place] ?? 0
    if (next !== -1) score += next === place + 1 ? followsOn : gap
    next = place
    letter--
  }
  return score
}

/** Where the last letter of a word is when its letters are found one after another; otherwise -1. */
function endOf(letters: Uint16Array, start: number, end: number, word: Uint16Array): number {
  let letter = 0
  let wanted = word[0]
  // With fewer places left than letters, the word can't end any more.
  for (let at = start; at <= end - word.length + letter; at++) {
    if (letters[at] !== wanted) continue
    letter++
    if (letter === word.length) return at
    wanted = word[letter]
  }
  return -1
}

/** Reused by `bestWay`, because each key press scores hundreds of paths. */
let rows = [new Int32Array(256), new Int32Array(256)] as const
let steps = new Int32Array(4096)

/** The score of the best way to find a word in a path that matches it; adds that way's places to `marks`. */
function bestWay(list: PreparedPaths, index: number, word: Uint16Array, marks: number[] | null): number {
  const start = list.starts[index] ?? 0
  const length = (list.starts[index + 1] ?? 0) - start
  if (rows[0].length < length) rows = [new Int32Array(length * 2), new Int32Array(length * 2)]
  if (marks !== null && steps.length < word.length * length) steps = new Int32Array(word.length * length * 2)
  // Row by row: the best score with this letter here, and the place of the letter before it.
  let [ended, now] = rows
  for (let letter = 0; letter < word.length; letter++) {
    const code = word[letter]
    let best = missing
    let bestAt = -1
    now.fill(missing, 0, length)
    for (let at = letter; at < length; at++) {
      // The best score of the letters before, with a gap before this place.
      const skipped = letter > 0 && at >= 2 ? (ended[at - 2] ?? missing) : missing
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

/** For equal scores: the shorter path, then code-unit order. */
function compareTies(list: PreparedPaths, one: number, other: number): number {
  const a = list.paths[one] ?? ''
  const b = list.paths[other] ?? ''
  return a.length - b.length || (a < b ? -1 : a > b ? 1 : 0)
}

/** More than the number of paths, and the length up to which paths with equal scores are told apart. */
const numbers = 2 ** 20
const lengths = 2 ** 12

/** The `limit` best by estimate; of equal ones the shortest, then the first. */
function pickBest({ paths }: PreparedPaths, { indexes, scores }: PathMatches, limit: number): number[] {
  // All three in one number: sorting numbers takes a tenth of the time of sorting with a function.
  const keys = new Float64Array(indexes.length)
  for (let at = 0; at < keys.length; at++) {
    const index = indexes[at] ?? 0
    const length = Math.min(paths[index]?.length ?? 0, lengths - 1)
    keys[at] = (length - (scores[at] ?? 0) * lengths) * numbers + index
  }
  return Array.from(keys.sort().subarray(0, limit), (key) => key - Math.floor(key / numbers) * numbers)
}

/** Lower case of the same length: a letter whose lower case has another length stays as it is. */
function toLower(text: string): string {
  const small = text.toLowerCase()
  if (small.length === text.length) return small
  return Array.from({ length: text.length }, (_, at) => {
    const one = text.charAt(at).toLowerCase()
    return one.length === 1 ? one : text.charAt(at)
  }).join('')
}

/** A letter's bit in a mask: letters have one each, other characters share some. */
function bitOf(code: number): number {
  if (code >= 97 && code <= 122) return 1 << (code - 97)
  if (code >= 48 && code <= 57) return 1 << 26
  if (code === 46) return 1 << 27
  if (code === 45 || code === 95) return 1 << 28
  if (code === 47) return 1 << 29
  return code < 128 ? 1 << 30 : 1 << 31
}

/**
 * A letter counts more in the file name, most at its start, and where a part or a word of the path begins. `inName` is
 * its place in the name, negative before it.
 */
function worthOf(inName: number, before: number, isHump: boolean): number {
  const base = inName >= 0 ? 22 : 16
  if (inName === 0) return base + 22
  if (before === 47) return base + 14
  if (before === 45 || before === 95 || before === 46 || before === 32 || isHump) return base + 12
  return base
}
