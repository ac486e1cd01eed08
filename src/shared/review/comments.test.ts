import { Text } from '@codemirror/state'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type ReviewComment, commentWords, placeComments, quoteOf } from './comments'

const comment = (from: number, to: number, quote: string, text: string): ReviewComment => ({
  id: `${from}`,
  lines: { from, to },
  quote,
  text,
})

describe('the words for the model', () => {
  test('name lines by number and text, in the file’s order, after the note', () => {
    expect(
      commentWords(
        '/a/b.ts',
        [
          comment(7, 9, 'three\nlines\nhere', ' why three? '),
          comment(2, 2, 'const a = 1', 'use let'),
          comment(4, 3, 'gone()', 'keep this'),
          { id: 'x', lines: null, quote: 'old', text: 'and this' },
          comment(5, 5, '', 'no blank line'),
          comment(6, 6, 'said', '  '),
        ],
        'Not like this.\n',
      ),
    ).toBe(
      [
        'Not like this.',
        '',
        'The user’s comments on /a/b.ts:',
        'Line 2, “const a = 1”: use let',
        'At line 4, where “gone()” is removed: keep this',
        'Line 5: no blank line',
        'Lines 7 to 9, “three…”: why three?',
        'Where “old” was proposed: and this',
      ].join('\n'),
    )
  })

  test('are the note alone, or nothing', () => {
    expect(commentWords('/a', [], ' No. ')).toBe('No.')
    expect(commentWords('/a', [comment(1, 1, 'a', ' \n')], '')).toBeNull()
    expect(commentWords('/a', [])).toBeNull()
  })

  test('a long line is quoted by its beginning, and never in half a character', () => {
    const words = commentWords('/a', [comment(1, 1, '😀'.repeat(300), 'x')])
    expect(words).toContain(`“${'😀'.repeat(100)}…”`)
  })
})

describe('a place', () => {
  const lines = fc.array(fc.constantFrom('a', 'b', 'c', '', '  d'), { minLength: 1, maxLength: 20 })
  const range = (all: readonly string[]) =>
    fc
      .tuple(fc.integer({ min: 1, max: all.length }), fc.integer({ min: 1, max: all.length }))
      .map(([one, other]) => ({ from: Math.min(one, other), to: Math.max(one, other) }))

  test('is where the lines say what is quoted, or nowhere; and stays there', () => {
    fc.assert(
      fc.property(
        lines.chain((all) => fc.tuple(fc.constant(all), range(all))),
        lines,
        ([all, at], now) => {
          const made = { id: '1', lines: at, quote: quoteOf(Text.of(all), at), text: 'x' }
          const text = Text.of(now)
          const [placed] = placeComments([made], text)
          expect(placed).toBeDefined()
          if (placed?.lines) expect(quoteOf(text, placed.lines)).toBe(made.quote)
          else expect(`\n${now.join('\n')}\n`).not.toContain(`\n${made.quote}\n`)
          if (placed) expect(placeComments([placed], text)).toEqual([placed])
        },
      ),
    )
  })

  test('moves along with lines that come and go before it', () => {
    fc.assert(
      fc.property(lines, lines, lines, (before, other, after) => {
        const quote = 'the only one\nof its kind'
        const made = comment(before.length + 1, before.length + 2, quote, 'x')
        const text = Text.of([...other, ...quote.split('\n'), ...after])
        expect(placeComments([made], text)[0]?.lines).toEqual({
          from: other.length + 1,
          to: other.length + 2,
        })
      }),
    )
  })

  test('that still holds is the same array, so nothing has to be drawn again', () => {
    const comments = [comment(1, 1, 'a', 'x'), comment(2, 1, 'gone', 'y')]
    expect(placeComments(comments, Text.of(['a', 'b']))).toBe(comments)
  })

  test('of removed lines is never beyond the end', () => {
    expect(placeComments([comment(9, 8, 'gone', 'x')], Text.of(['a', 'b']))[0]?.lines).toEqual({
      from: 3,
      to: 2,
    })
  })

  test('of equal lines is the nearest', () => {
    const text = Text.of(['a', 'x', 'x', 'x', 'a', 'x', 'x', 'x', 'x', 'a'])
    expect(placeComments([comment(6, 6, 'a', 't')], text)[0]?.lines).toEqual({ from: 5, to: 5 })
  })

  test('that was lost comes back with its text', () => {
    const made = comment(1, 1, 'b', 't')
    const lost = placeComments([made], Text.of(['a']))
    expect(lost[0]?.lines).toBeNull()
    expect(placeComments(lost, Text.of(['a', 'b']))[0]?.lines).toEqual({ from: 2, to: 2 })
  })
})
