import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type Joined, PieceJoiner, firstOf, longestPiece, splitMessage, splitText } from './message-pieces'

const loneSurrogate = /\p{Surrogate}/u

const joinAll = (joiner: PieceJoiner, pieces: readonly string[]): Joined[] =>
  pieces.map((piece) => joiner.add(piece))

describe('splitting and joining', () => {
  test('gives back what went in, for every text and every size of pieces', () => {
    fc.assert(
      fc.property(
        fc.array(fc.string({ unit: 'grapheme', maxLength: 60 }), { maxLength: 4 }),
        fc.integer({ min: 2, max: 20 }),
        (messages, longest) => {
          const joiner = new PieceJoiner()
          const whole = messages.flatMap((message) => joinAll(joiner, splitMessage(message, longest)))
          expect(whole.flatMap((step) => (step.kind === 'message' ? [step.message] : []))).toEqual(messages)
          expect(whole.some((step) => step.kind === 'wrong')).toBe(false)
        },
      ),
    )
  })

  test('keeps every piece within its bound and every surrogate pair in one piece', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: 'grapheme-composite', maxLength: 200 }),
        fc.integer({ min: 2, max: 20 }),
        (message, longest) => {
          const pieces = splitText(message, longest)
          expect(pieces.join('')).toBe(message)
          expect(firstOf(message, longest)).toBe(pieces[0])
          for (const piece of pieces) {
            expect(piece.length).toBeLessThanOrEqual(longest)
            expect(piece).not.toMatch(loneSurrogate)
          }
        },
      ),
    )
  })

  test('a short message is one piece', () => {
    expect(splitMessage('a')).toEqual(['=a'])
    expect(splitMessage('')).toEqual(['='])
    expect(splitMessage('x'.repeat(longestPiece))).toHaveLength(1)
    expect(splitMessage('x'.repeat(longestPiece + 1))).toHaveLength(2)
  })
})

describe('a joiner', () => {
  test.each([
    ['a piece without a mark', ['abc']],
    ['nothing at all', ['']],
    ['an end without a beginning', ['.a']],
    ['a message inside another', ['+a', '=b']],
  ])('refuses %s and then goes on', (_name, pieces) => {
    const joiner = new PieceJoiner()
    expect(joinAll(joiner, pieces).at(-1)?.kind).toBe('wrong')
    expect(joiner.add('=next')).toEqual({ kind: 'message', message: 'next' })
  })

  test('refuses a message beyond its bound, however it comes', () => {
    const joiner = new PieceJoiner(10)
    expect(joiner.add(`=${'x'.repeat(11)}`).kind).toBe('wrong')
    expect(joinAll(joiner, ['+xxxxxx', '+xxxxxx']).at(-1)?.kind).toBe('wrong')
    expect(joiner.add(`=${'x'.repeat(10)}`).kind).toBe('message')
  })
})
