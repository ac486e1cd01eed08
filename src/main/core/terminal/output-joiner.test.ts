import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { OutputJoiner } from './output-joiner'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

function start() {
  const delivered: string[] = []
  return { delivered, joiner: new OutputJoiner((output) => delivered.push(output)) }
}

test('the first output goes out at once, what follows within four milliseconds as one', () => {
  const { delivered, joiner } = start()
  joiner.add('a')
  expect(delivered).toEqual(['a'])
  joiner.add('b')
  vi.advanceTimersByTime(3)
  joiner.add('c')
  expect(delivered).toEqual(['a'])
  vi.advanceTimersByTime(1)
  expect(delivered).toEqual(['a', 'bc'])
  joiner.add('d')
  expect(delivered).toEqual(['a', 'bc'])
  vi.advanceTimersByTime(4)
  expect(delivered).toEqual(['a', 'bc', 'd'])
})

test('after a pause the first goes out at once again, and nothing is left running', () => {
  const { delivered, joiner } = start()
  joiner.add('a')
  vi.advanceTimersByTime(10)
  expect(vi.getTimerCount()).toBe(0)
  joiner.add('b')
  expect(delivered).toEqual(['a', 'b'])
})

test('a large piece does not wait, and a flush brings everything', () => {
  const { delivered, joiner } = start()
  joiner.add('a')
  joiner.add('b'.repeat(80_000))
  joiner.add('c'.repeat(80_000))
  expect(delivered.map((piece) => piece.length)).toEqual([1, 160_000])
  joiner.add('d')
  joiner.flush()
  joiner.flush()
  expect(delivered.at(-1)).toBe('d')
  expect(delivered).toHaveLength(3)
})

test('after its end nothing comes', () => {
  const { delivered, joiner } = start()
  joiner.add('a')
  joiner.add('b')
  joiner.dispose()
  vi.advanceTimersByTime(10)
  joiner.flush()
  expect(delivered).toEqual(['a'])
})
