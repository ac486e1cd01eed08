import { expect, test } from 'vitest'
import { isTokenOf, tokenFor } from './terminal-token'

test('a terminal’s token opens nothing for another terminal, and nothing with another secret', () => {
  const token = tokenFor('secret', 'one')
  expect(isTokenOf(token, 'secret', 'one')).toBe(true)
  expect(isTokenOf(token, 'secret', 'two')).toBe(false)
  expect(isTokenOf(token, 'other', 'one')).toBe(false)
  expect(isTokenOf('secret', 'secret', 'one')).toBe(false)
  expect(isTokenOf(undefined, 'secret', 'one')).toBe(false)
  expect(token).toMatch(/^[\w-]{43}$/)
})
