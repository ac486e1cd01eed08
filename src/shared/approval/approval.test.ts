import { expect, test } from 'vitest'
import { answerOf, optionForRule, problemOf, type Question } from './approval'
import { longestSubject } from './approval-fields'
import { usualOptions } from '../../../test/usual-options'

const asked = {
  requester: { dialect: 'd', connection: 'c', agent: 'Robo', call: '1' },
  kind: 'run',
  title: 'Run a command',
  subject: 'npm test',
  tool: 'Bash',
  folder: null,
  path: null,
  why: null,
  fields: [],
  needsPerson: false,
} as const
const question: Question = { ...asked, options: usualOptions(asked) }

test('a question that cannot be shown whole, or that cannot be denied, is not asked', () => {
  expect(problemOf(question)).toBeNull()
  expect(problemOf({ ...question, subject: 'a'.repeat(longestSubject + 1) })).toMatch(
    /nobody can look through/,
  )
  expect(problemOf({ ...question, subject: ' \n' })).toMatch(/Say what is asked/)
  expect(problemOf({ ...question, options: question.options.slice(0, 3) })).toMatch(/no way to say no/)
  const [first] = question.options
  expect(problemOf({ ...question, options: first ? [...question.options, first] : [] })).toMatch(/same id/)
})

test('a rule chooses what leads to no more than its word', () => {
  expect(optionForRule(question.options, 'allow')?.id).toBe('once')
  expect(optionForRule(question.options, 'deny')?.id).toBe('deny')
  expect(optionForRule(question.options.slice(1, 3), 'allow')).toBeNull()
})

test('an answer says what the option leads to; a reason only where it denies', () => {
  const answers = question.options.map((option) =>
    answerOf(option, { values: {}, reason: ' why ' }, 'person'),
  )
  expect(answers.map((answer) => ('reason' in answer ? answer.reason : answer.kind))).toEqual([
    'allowed',
    'allowed',
    'allowed',
    'why',
    'why',
  ])
  expect(answers.at(-1)).toMatchObject({ kind: 'denied', stops: true })
})
