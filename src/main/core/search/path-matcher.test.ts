import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { preparePaths, bestMatches, findMatches, markLetters, wordsOf } from './path-matcher'

function find(paths: readonly string[], typed: string, limit = 100): string[] {
  const list = preparePaths(paths)
  const words = wordsOf(typed)
  return bestMatches(list, words, findMatches(list, words, null), limit).map((index) => paths[index] ?? '')
}

describe('path matcher', () => {
  it('puts names before folders, starts before middles, and short before long', () => {
    expect(find(['desk/long/name.ts', 'src/review/desk.ts', 'src/review/old-desk.ts'], 'desk')).toEqual([
      'src/review/desk.ts',
      'src/review/old-desk.ts',
      'desk/long/name.ts',
    ])
    expect(find(['a/readFile.ts', 'a/rofl.ts'], 'rf')[0]).toBe('a/readFile.ts')
    expect(find(['x/ab.ts', 'ab.ts'], 'ab')[0]).toBe('ab.ts')
  })

  it('takes words in any order, and letters of either case', () => {
    expect(find(['src/main/App.ts', 'src/main/other.ts'], 'app MAIN')).toEqual(['src/main/App.ts'])
    expect(find(['src/Über.ts', 'src/uber.ts'], 'über')).toEqual(['src/Über.ts'])
    expect(find(['a/b.ts'], 'a\\b')).toEqual(['a/b.ts'])
    expect(find(['a/b.ts'], 'ba')).toEqual([])
  })

  it('marks the letters where they read best', () => {
    const list = preparePaths(['src/main/core/search/path-matcher.ts'])
    expect(markLetters(list, wordsOf('pm'), 0).map((at) => list.paths[0]?.[at])).toEqual(['p', 'm'])
    expect(markLetters(list, wordsOf('pm'), 0)).toEqual([21, 26])
    expect(markLetters(list, wordsOf('search matcher'), 0)).toEqual([
      14, 15, 16, 17, 18, 19, 26, 27, 28, 29, 30, 31, 32,
    ])
  })

  const path = fc.string({
    unit: fc.constantFrom('a', 'b', 'c', 'A', '/', '.', '-', 'ä', 'İ'),
    maxLength: 12,
  })
  const typed = fc.string({ unit: fc.constantFrom('a', 'b', 'c', '/', 'ä'), minLength: 1, maxLength: 4 })

  it('finds exactly the paths that have the letters in their order', () => {
    fc.assert(
      fc.property(fc.array(path, { maxLength: 20 }), typed, (paths, word) => {
        const has = (text: string) => {
          let at = 0
          for (const letter of text.toLowerCase()) if (letter === word[at]) at++
          return at === word.length
        }
        expect(find(paths, word, 1000).toSorted()).toEqual(paths.filter(has).toSorted())
      }),
    )
  })

  it('finds the same among what fitted fewer letters', () => {
    fc.assert(
      fc.property(fc.array(path, { maxLength: 20 }), typed, (paths, word) => {
        const list = preparePaths(paths)
        const some = findMatches(list, wordsOf(word.slice(0, 1)), null).indexes
        const all = findMatches(list, wordsOf(word), null)
        expect(findMatches(list, wordsOf(word), some)).toEqual(all)
        for (const index of all.indexes) {
          const marks = markLetters(list, wordsOf(word), index)
          expect(marks.map((at) => small(paths[index] ?? '')[at]).join('')).toBe(word)
        }
      }),
    )
  })

  it('chooses the short ones of many that are equal, and the best of many', () => {
    const many = Array.from(
      { length: 3000 },
      (_, at) => `${'x'.repeat(1 + (at % 50))}/${'y'.repeat(1 + (at % 7))}a${at}`,
    )
    const best = find(many, 'a', 20)
    expect(best).toHaveLength(20)
    expect(best).toEqual(find(many, 'a', 3000).slice(0, 20))
    expect(find([...many, 'z/a.ts'], 'a', 20)[0]).toBe('z/a.ts')
  })

  it('gives what a plain and slow matcher gives, in its order', () => {
    const name = fc.string({ unit: fc.constantFrom('a', 'b', 'c', 'A', 'B', '.', '-', 'İ'), maxLength: 6 })
    // Few folders with many files, as folders are.
    const paths = fc
      .array(fc.array(name, { maxLength: 3 }), { minLength: 1, maxLength: 4 })
      .chain((folders) =>
        fc.array(
          fc.tuple(fc.constantFrom(...folders), name).map(([folder, own]) => [...folder, own].join('/')),
          { maxLength: 40 },
        ),
      )
    const word = fc.string({ unit: fc.constantFrom('a', 'b', 'c', '/', '-'), minLength: 1, maxLength: 5 })
    fc.assert(
      fc.property(paths, fc.array(word, { minLength: 1, maxLength: 2 }), fc.nat(12), (all, words, limit) => {
        expect(find(all, words.join(' '), limit)).toEqual(findSlowly(all, words, limit))
      }),
      { numRuns: 1000 },
    )
  })
})

/** Small letters; the dotted İ has none of its length. */
function small(text: string): string {
  return text
    .split('')
    .map((letter) => (letter === 'İ' ? letter : letter.toLowerCase()))
    .join('')
}

/** What a letter of a path is worth. */
function worthAt(path: string, at: number): number {
  const name = path.lastIndexOf('/') + 1
  const base = at >= name ? 22 : 16
  if (at === name) return base + 22
  const before = at === 0 ? '/' : (path[at - 1] ?? '')
  if (before === '/') return base + 14
  const isHump = /[A-Z]/.test(path[at] ?? '') && !/[A-Z]/.test(before)
  return '-_. '.includes(before) || isHump ? base + 12 : base
}

function worthOfWay(path: string, places: readonly number[]): number {
  return places.reduce((sum, at, letter) => {
    const before = places[letter - 1]
    return sum + worthAt(path, at) + (before === undefined ? 0 : before + 1 === at ? 14 : -6)
  }, 0)
}

/** The way to the first end behind `from`, and back from there to the nearest start; null where there is none. */
function firstWay(path: string, word: string, from: number): number[] | null {
  const letters = small(path)
  let end = from - 1
  for (const letter of word) {
    end = letters.indexOf(letter, end + 1)
    if (end === -1) return null
  }
  const places: number[] = []
  for (const letter of word.split('').toReversed()) {
    end = letters.lastIndexOf(letter, end)
    places.unshift(end)
    end--
  }
  return places
}

/** All ways to find a word in a path. */
function allWays(letters: string, word: string, from: number): number[][] {
  if (word === '') return [[]]
  return letters
    .split('')
    .flatMap((letter, at) =>
      at >= from && letter === word[0]
        ? allWays(letters, word.slice(1), at + 1).map((rest) => [at, ...rest])
        : [],
    )
}

/** What the matcher promises, said as plainly as can be: estimate all, take twice as many, order by the best ways. */
function findSlowly(paths: readonly string[], words: readonly string[], limit: number): string[] {
  const estimated = paths.flatMap((path, index) => {
    const name = path.lastIndexOf('/') + 1
    const ways = words.map((word) => firstWay(path, word, name) ?? firstWay(path, word, 0))
    if (ways.includes(null)) return []
    return [{ path, index, score: ways.reduce((sum, way) => sum + worthOfWay(path, way ?? []), 0) }]
  })
  return estimated
    .toSorted((a, b) => b.score - a.score || a.path.length - b.path.length || a.index - b.index)
    .slice(0, limit * 2)
    .map(({ path }) => ({
      path,
      score: words
        .map((word) => Math.max(...allWays(small(path), word, 0).map((way) => worthOfWay(path, way))))
        .reduce((sum, score) => sum + score, 0),
    }))
    .toSorted(
      (a, b) =>
        b.score - a.score ||
        a.path.length - b.path.length ||
        (a.path < b.path ? -1 : a.path > b.path ? 1 : 0),
    )
    .slice(0, limit)
    .map(({ path }) => path)
}
