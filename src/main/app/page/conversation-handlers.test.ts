import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { TranscriptChange } from '../../../shared/conversation/live-transcript'
import { Emitter } from '../../../shared/lifetime'
import type { Conversations } from '../../core/conversation/conversations'
import { conversationHandlers } from './conversation-handlers'

type Surroundings = Parameters<typeof conversationHandlers>[0]

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

/** What a page is told of one conversation: the texts of each delta. */
function follow() {
  const changes = new Emitter<TranscriptChange>()
  const conversations = { get: () => ({ source: { page: () => null, onChange: changes.on } }) }
  const { topics } = conversationHandlers({
    conversations: conversations as unknown as Conversations,
    ...({} as Omit<Surroundings, 'conversations'>),
  })
  const told: string[][] = []
  const following = topics.transcript(
    { id: 'live:1' },
    {
      snapshot: () => undefined,
      delta: (delta) => told.push(delta.changes.map((change) => (change.kind === 'more' ? change.text : ''))),
    },
  )
  const say = (text: string, place = 0) => changes.emit({ kind: 'more', item: 'r', place, text })
  return { say, told, following }
}

test('what is said is told at once, and what follows as one, the last of it too', () => {
  const { say, told } = follow()
  for (const text of ['a', 'b', 'c', 'd', 'e', 'f', 'g']) {
    say(text)
    vi.advanceTimersByTime(5)
  }
  expect(told).toEqual([['a'], ['bcde']])
  vi.advanceTimersByTime(20)
  expect(told).toEqual([['a'], ['bcde'], ['fg']])
  vi.advanceTimersByTime(1000)
  say('later')
  say('x')
  say('y', 1)
  expect(told.slice(3)).toEqual([['later']])
  vi.advanceTimersByTime(16)
  expect(told.slice(4)).toEqual([['x', 'y']])
})

test('a page that has gone is told nothing more', () => {
  const { say, told, following } = follow()
  say('a')
  say('b')
  following.dispose()
  vi.advanceTimersByTime(1000)
  say('c')
  expect(told).toEqual([['a']])
})
