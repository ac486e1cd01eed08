import { expect, test } from 'vitest'
import { UnsentInput } from './unsent-input'

const after = (...pieces: string[]): boolean => {
  const input = new UnsentInput()
  for (const piece of pieces) input.hear(piece)
  return input.isThere
}

test('what is typed or pasted stands there until it is submitted or taken away', () => {
  expect(after('h', 'i')).toBe(true)
  expect(after('h', 'i', '\r')).toBe(false)
  expect(after('h', '\x7f')).toBe(false)
  expect(after('h', 'i', '\x7f')).toBe(true)
  expect(after('hi', '\x03')).toBe(false)
  expect(after('hi', '\x15')).toBe(false)
  expect(after('\x1b[200~one\rtwo\x1b[201~')).toBe(true)
  expect(after('\x1b[200~one\rtwo\x1b[201~\r')).toBe(false)
})

test('keys without text and answers of the terminal count for nothing', () => {
  expect(after('\x1b[A', '\x1b', '\x1b[I', '\x1b[?1;2c', '\x7f')).toBe(false)
  expect(after('hi', '\x1b[D')).toBe(true)
})
