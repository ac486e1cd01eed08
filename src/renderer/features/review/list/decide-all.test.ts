import { expect, test } from 'vitest'
import type { ReviewSummary } from '../../../../shared/contract/review'
import { answerQuestion, answerWords } from './decide-all'

const review = (effect: ReviewSummary['effect']) => ({ effect }) as ReviewSummary
const asked = review('agent')
const written = review('written')

test('what is written already is kept or put back, not accepted or rejected', () => {
  expect(answerWords('accept', [written, written])).toBe('Keep')
  expect(answerWords('reject', [written])).toBe('Put back')
  expect(answerQuestion('accept', [written])).toBe('Keep 1 file as written?')
  expect(answerQuestion('reject', [written, written])).toBe('Put back 2 files?')
})

test('what is asked for is accepted or rejected, and the question says what happens to each kind', () => {
  expect(answerWords('accept', [asked, written])).toBe('Accept')
  expect(answerWords('reject', [asked])).toBe('Reject')
  expect(answerQuestion('accept', [asked, asked])).toBe('Write the changes to 2 files in this folder?')
  expect(answerQuestion('accept', [asked, written])).toBe(
    'Write the changes to 1 file in this folder and keep 1 written file?',
  )
  expect(answerQuestion('reject', [asked, written, written])).toBe(
    'Reject the changes to 1 file and put back 2 written files?',
  )
})
