import { expect, test } from 'vitest'
import { Ledger } from './ledger'

const write = { path: '/a', hash: 'one' }

test('a write is expected once it is announced', () => {
  const ledger = new Ledger()
  ledger.expect(write)
  expect(ledger.expects('/a', 'one')).toBe(true)
})

test('another content, another file or a deletion is not what was expected', () => {
  const ledger = new Ledger()
  ledger.expect(write)
  expect(ledger.expects('/a', 'two')).toBe(false)
  expect(ledger.expects('/b', 'one')).toBe(false)
  expect(ledger.expects('/a', null)).toBe(false)
})

test('a deletion is expected as such', () => {
  const ledger = new Ledger()
  ledger.expect({ ...write, hash: null })
  expect(ledger.expects('/a', null)).toBe(true)
})

test('entries expire', () => {
  let now = 0
  const ledger = new Ledger({ lifetime: 100, now: () => now })
  ledger.expect(write)
  now = 99
  expect(ledger.expects('/a', 'one')).toBe(true)
  now = 100
  expect(ledger.expects('/a', 'one')).toBe(false)
})

test('a write that did not happen is taken back', () => {
  const ledger = new Ledger()
  ledger.expect(write)
  ledger.cancel(write)
  expect(ledger.expects('/a', 'one')).toBe(false)
})

test('the oldest goes when there are too many', () => {
  const ledger = new Ledger({ capacity: 2 })
  for (const hash of ['one', 'two', 'three']) ledger.expect({ ...write, hash })
  expect(ledger.expects('/a', 'one')).toBe(false)
  expect(ledger.expects('/a', 'two')).toBe(true)
  expect(ledger.expects('/a', 'three')).toBe(true)
})
