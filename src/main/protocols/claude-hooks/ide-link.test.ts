import { expect, test } from 'vitest'
import { linkOf } from './ide-link'

test('a session is linked only if each of its processes holds a connection', () => {
  expect(linkOf([], new Set([1]))).toBe('unknown')
  expect(linkOf([1, 2], new Set([1, 2, 3]))).toBe('linked')
  expect(linkOf([1, 2], new Set([1]))).toBe('unlinked')
})
