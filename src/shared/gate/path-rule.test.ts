import { expect, test } from 'vitest'
import { describePatternProblem } from './path-rule'

test('a pattern that can’t hold says why, and only what lets through has to be exact', () => {
  const problem = (pattern: string, answer: 'write' | 'ask' | 'never' = 'ask') =>
    describePatternProblem({ pattern, answer })
  for (const pattern of ['docs/**', '**/*.lock', '~/notes/', '//srv/x', '\\#a', '\\!a', 'a*b*c*d']) {
    expect([pattern, problem(pattern), problem(pattern, 'write')]).toEqual([pattern, null, null])
  }
  expect(problem(' ')).toContain('docs/**')
  expect(problem('!docs')).toContain('strictest')
  expect(problem('#docs')).toContain('\\#')
  expect(problem('a\nb')).toContain('one line')
  expect(problem('x'.repeat(501))).toContain('500')
  for (const pattern of ['*a*b*c*d', '**/a/**/b/**']) {
    expect(problem(pattern)).toBeNull()
    expect(problem(pattern, 'write')).toContain('Too many stars')
  }
})
