import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { bestMatches, findMatches, markLetters, preparePaths, wordsOf } from './path-matcher'

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
          expect(
            marks
              .map((at) => String.fromCharCode(list.letters[(list.starts[index] ?? 0) + at] ?? 0))
              .join(''),
          ).toBe(word)
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
})
