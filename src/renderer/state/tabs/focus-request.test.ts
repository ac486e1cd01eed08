import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { noteInput } from '../window/last-input'
import { FocusRequest } from './focus-request'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

it('is taken once, by what it is for', () => {
  const request = new FocusRequest<string>()
  request.make('a')
  expect(request.take((wanted) => wanted === 'b')).toBe(false)
  expect(request.holds).toBe(true)
  expect(request.take((wanted) => wanted === 'a')).toBe(true)
  expect(request.take((wanted) => wanted === 'a')).toBe(false)
})

it('ends after a while, and ends untaken when that is shown later', () => {
  const request = new FocusRequest<string>()
  request.make('a')
  vi.advanceTimersByTime(3000)
  expect(request.holds).toBe(false)
  expect(request.take(() => true)).toBe(false)
  expect(request.store.getState().wanted).toBeNull()
})

it('begins anew with the next request', () => {
  const request = new FocusRequest<string>()
  request.make('a')
  vi.advanceTimersByTime(2999)
  request.make('a')
  vi.advanceTimersByTime(2999)
  expect(request.holds).toBe(true)
  request.forget()
  expect(request.holds).toBe(false)
})

it('ends when the person presses elsewhere, whichever it is; a key ends none', () => {
  const requests = [new FocusRequest<string>(), new FocusRequest<string>()]
  for (const request of requests) request.make('a')
  noteInput('keys')
  expect(requests.map(({ holds }) => holds)).toEqual([true, true])
  noteInput('pointer')
  expect(requests.map(({ holds }) => holds)).toEqual([false, false])
  expect(requests.map(({ store }) => store.getState().wanted)).toEqual([null, null])
})
