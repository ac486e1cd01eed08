import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { Attention, type CalledFor, type Waiting } from './attention'

let attention: Attention
let calls: CalledFor[]
let counts: number[]
beforeEach(() => {
  vi.useFakeTimers()
  attention = new Attention()
  calls = []
  counts = []
  attention.onCall((call) => calls.push(call))
  attention.onCount((count) => counts.push(count))
})
afterEach(() => {
  attention.dispose()
  vi.useRealTimers()
})

const one = (id: string, body = ''): Waiting => ({
  id,
  title: `${id} waits`,
  body,
  target: { kind: 'terminal', terminal: id },
})
const later = () => vi.advanceTimersByTime(1000)

test('the person is called once for each thing', () => {
  attention.update([one('a', 'for you')])
  later()
  attention.update([one('a', 'again')])
  later()
  expect(calls).toEqual([{ title: 'a waits', body: 'for you', target: { kind: 'terminal', terminal: 'a' } }])
  attention.update([])
  attention.update([one('a')])
  later()
  expect(calls).toHaveLength(2)
})

test('what comes together is one call, with the first to look at', () => {
  attention.update([one('a')])
  attention.update([one('a', 'x'), one('b')])
  later()
  expect(calls).toEqual([
    {
      title: '2 things are waiting for you',
      body: 'a waits: x\nb waits',
      target: { kind: 'terminal', terminal: 'a' },
    },
  ])
  attention.update('abcdefgh'.split('').map((id) => one(id)))
  later()
  expect(calls[1]?.body.split('\n')).toEqual(['c waits', 'd waits', 'e waits', 'f waits', 'and 2 more'])
})

test('who looks is not called, neither then nor later', () => {
  attention.look(true)
  attention.update([one('a')])
  later()
  attention.look(false)
  attention.update([one('a')])
  later()
  expect(calls).toEqual([])
  attention.update([one('a'), one('b')])
  attention.look(true)
  later()
  expect(calls).toEqual([])
})

test('what waits no longer when the call comes is not called for', () => {
  attention.update([one('a')])
  attention.update([])
  later()
  expect(calls).toEqual([])
})

test('the number of things is told when it is another', () => {
  attention.update([one('a'), one('b')])
  attention.update([one('b'), one('c')])
  attention.update([])
  expect(counts).toEqual([2, 0])
  expect(attention.count).toBe(0)
})
