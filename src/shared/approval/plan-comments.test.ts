import { expect, test } from 'vitest'
import { type PlanComment, planReason } from './plan-comments'

const comment = (from: number, to: number, quote: string, text: string): PlanComment => ({
  ...{ id: `${from}`, from, to, quote, text },
})

test('a plan goes back with what was said about its lines, in their order', () => {
  const comments = [
    comment(5, 7, '2. Two\n   more\n   and more', ' Smaller. '),
    comment(3, 3, '1. One', 'Not first.'),
    comment(9, 9, 'Three', '  '),
  ]
  expect(planReason('No.', comments, null)).toBe(
    'No.\n\nLine 3, “1. One”: Not first.\nLines 5 to 7, “2. Two…”: Smaller.',
  )
})

test('a plan that was changed goes back with the change', () => {
  expect(planReason('', [], '# Mine')).toBe('The plan as the user changed it:\n\n# Mine')
})

test('a long line is cut, never inside a sign', () => {
  const said = planReason('', [comment(1, 1, '😀'.repeat(200), 'x')], null)
  expect(said).toBe(`Line 1, “${'😀'.repeat(100)}…”: x`)
})

test('nothing said is nothing told', () => {
  expect(planReason(' ', [comment(1, 1, 'a', '')], null)).toBeNull()
})
