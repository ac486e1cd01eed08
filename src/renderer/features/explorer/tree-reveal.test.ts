import { expect, test } from 'vitest'
import { mayReveal } from './tree-reveal'

test('the tree leads nobody away who is at work in it', () => {
  expect(mayReveal({ inUse: false, cursor: '/a' }, '/b')).toBe(true)
  expect(mayReveal({ inUse: true, cursor: '/a' }, '/b')).toBe(false)
  // What they have opened there is only brought into sight.
  expect(mayReveal({ inUse: true, cursor: '/b' }, '/b')).toBe(true)
})
