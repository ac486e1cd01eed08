import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type Hunk, startDraft } from '../../../shared/review/draft'
import { toText } from '../../../shared/text/text-facts'
import { countLines } from './review'

const text = fc
  .array(fc.constantFrom('a', 'b', '\n', '\n\n', 'a\n'), { maxLength: 30 })
  .map((parts) => parts.join(''))

/** By cutting it out: a change may begin with the break of the line before it, which is no line of its own. */
function linesCut(whole: string, from: number, to: number): number {
  const slice = whole.slice(from, to)
  if (slice === '') return 0
  const startsInLine = from > 0 && whole[from - 1] !== '\n'
  const breaks = slice.split('\n').length - 1
  return startsInLine && slice.startsWith('\n') ? breaks : breaks + (slice.endsWith('\n') ? 0 : 1)
}

test('lines are counted where they stand as if they were cut out, whatever the texts end with', () => {
  fc.assert(
    fc.property(text, text, (before, after) => {
      const draft = startDraft(toText(before), toText(after))
      const sum = (count: (hunk: Hunk) => number) => draft.hunks.reduce((all, hunk) => all + count(hunk), 0)
      expect(countLines(draft)).toEqual({
        added: sum(({ fromB, toB }) => linesCut(after, fromB, toB)),
        removed: sum(({ fromA, toA }) => linesCut(before, fromA, toA)),
      })
    }),
    { numRuns: 3000 },
  )
})
