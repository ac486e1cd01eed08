import { expect, test } from 'vitest'
import { Ledger } from './ledger'

const write = { path: '/a', hash: 'one', origin: 'editor' }

test('an expected write is taken once', () => {
  const ledger = new Ledger()
  ledger.expect(write)
  expect(ledger.peek('/a', 'one')).toBe(write)
  expect(ledger.take('/a', 'one')).toBe(write)
  expect(ledger.take('/a', 'one')).toBeUndefined()
})

test('another content, another file or a deletion is not what was expected', () => {
  const ledger = new Ledger()
  ledger.expect(write)
  expect(ledger.take('/a', 'two')).toBeUndefined()
  expect(ledger.take('/b', 'one')).toBeUndefined()
  expect(ledger.take('/a', null)).toBeUndefined()
})

test('an expected deletion is taken as such', () => {
  const ledger = new Ledger()
  ledger.expect({ ...write, hash: null })
  expect(ledger.take('/a', null)).toMatchObject({ hash: null })
})

test('entries expire', () => {
  let now = 0
  const ledger = new Ledger({ lifetime: 100, now: () => now })
  ledger.expect(write)
  now = 99
  expect(ledger.peek('/a', 'one')).toBe(write)
  now = 100
  expect(ledger.take('/a', 'one')).toBeUndefined()
})

test('a write that did not happen is taken back', () => {
  const ledger = new Ledger()
  ledger.expect(write)
  ledger.cancel(write)
  expect(ledger.take('/a', 'one')).toBeUndefined()
})

test('the oldest goes when there are too many', () => {
  const ledger = new Ledger({ capacity: 2 })
  for (const hash of ['one', 'two', 'three']) ledger.expect({ ...write, hash })
  expect(ledger.take('/a', 'one')).toBeUndefined()
  expect(ledger.take('/a', 'two')).toBeDefined()
  expect(ledger.take('/a', 'three')).toBeDefined()
})
