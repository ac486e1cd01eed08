import { expect, it } from 'vitest'
import type { ReviewSummary } from '../../../shared/contract/review'
import { isOtherQuestion } from './other-question'
import type { ReviewSessionState } from './review-session'

const summary: ReviewSummary = {
  id: 'r1',
  path: '/home/ada/project/notes.txt',
  name: 'notes.txt',
  folder: '',
  agent: 'Claude',
  dialect: 'claude-ide',
  connection: 'c1',
  title: 'notes.txt',
  phase: 'open',
  effect: 'agent',
  content: 'text',
  isNew: false,
  isOutside: false,
  isReadOnly: false,
  isStale: false,
  addedLines: 1,
  removedLines: 0,
  changes: 1,
  decided: 0,
  written: 1,
  askedAt: 0,
  problem: null,
  revision: 1,
}

function text(part: Partial<ReviewSummary>): ReviewSessionState {
  return {
    kind: 'text',
    summary: { ...summary, ...part },
    isWhole: true,
    lines: 1,
    facts: { encoding: 'utf-8', bom: false, eol: 'lf' },
    offered: false,
    lineEndsOnly: false,
    problem: null,
    closed: null,
  }
}

function binary(part: Partial<ReviewSummary>, sizeAfter = 10): ReviewSessionState {
  return {
    kind: 'binary',
    summary: { ...summary, content: 'binary', ...part },
    sizeBefore: 5,
    sizeAfter,
    closed: null,
  }
}

it('the person’s own work on a text asks nothing else', () => {
  const worked = { revision: 9, decided: 1, changes: 2, written: 1, addedLines: 7, removedLines: 2 }
  expect(isOtherQuestion(text({}), text(worked))).toBe(false)
})

it.each<Partial<ReviewSummary>>([
  { phase: 'queued' },
  { effect: 'written' },
  { agents: 'Claude and Gemini' },
  { isNew: true },
  { isGone: true },
  { isStale: true },
  { problem: 'The file is no longer text.' },
])('%o is another question', (part) => {
  expect(isOtherQuestion(text({}), text(part))).toBe(true)
  expect(isOtherQuestion(text(part), text(part))).toBe(false)
})

it('of a file that is no text every change counts', () => {
  expect(isOtherQuestion(binary({}), binary({}))).toBe(false)
  expect(isOtherQuestion(binary({}), binary({ revision: 2 }))).toBe(true)
  expect(isOtherQuestion(binary({}), binary({}, 11))).toBe(true)
  expect(isOtherQuestion(text({}), binary({}))).toBe(true)
  expect(isOtherQuestion(binary({}), text({}))).toBe(true)
})

it('what only comes into being is not another question', () => {
  expect(isOtherQuestion({ kind: 'loading', progress: undefined }, text({}))).toBe(false)
})
