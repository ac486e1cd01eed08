import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { type Done, fail, succeed } from '../../../shared/result'
import { NoteTiming } from './note-timing'

const one = { connection: 'c1', call: '1' }
let typed: [string, string][]
let said: string[]
let answer: Done
let notes: NoteTiming

beforeEach(() => {
  typed = []
  said = []
  answer = succeed({})
  notes = new NoteTiming(
    (terminal, text) => {
      typed.push([terminal, text])
      return Promise.resolve(answer)
    },
    (sentence) => said.push(sentence),
  )
})
afterEach(() => void vi.useRealTimers())

test('a note waits for its own question to be put away, and is typed once', () => {
  notes.add(one, 't1', 'smaller')
  notes.questionClosed({ connection: 'c1', call: '2' })
  notes.questionClosed({ connection: 'c2', call: '1' })
  expect(typed).toEqual([])
  notes.questionClosed(one)
  notes.questionClosed(one)
  notes.connectionClosed('c1')
  expect(typed).toEqual([['t1', 'smaller']])
  expect(said).toEqual([])
})

test('an agent that never says so gets the note after a while', () => {
  vi.useFakeTimers()
  notes.add(one, 't1', 'smaller')
  vi.advanceTimersByTime(4999)
  expect(typed).toEqual([])
  vi.advanceTimersByTime(1)
  expect(typed).toEqual([['t1', 'smaller']])
})

test('a note for an agent that is gone is given back, never typed into what comes after it', () => {
  vi.useFakeTimers()
  notes.add(one, 't1', 'smaller')
  notes.connectionClosed('c2')
  notes.connectionClosed('c1')
  vi.advanceTimersByTime(60_000)
  expect(typed).toEqual([])
  expect(said).toEqual([expect.stringContaining('“smaller”')])
})

test('a note that cannot be typed is given back', async () => {
  answer = fail('closed', 'The terminal has ended.')
  notes.add(one, 't1', 'smaller')
  notes.questionClosed(one)
  await vi.waitFor(() => expect(said).toEqual(['The terminal has ended. Your note: “smaller”']))
})
