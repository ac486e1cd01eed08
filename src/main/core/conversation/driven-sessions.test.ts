import { expect, test } from 'vitest'
import { disposable } from '../../../shared/lifetime'
import { succeed } from '../../../shared/result'
import { Conversations } from './conversations'
import { DrivenSessions } from './driven-sessions'
import { LiveConversation } from './live-conversation'

const done = () => Promise.resolve(succeed({}))

function rig() {
  const sessions = new DrivenSessions()
  const conversations = new Conversations(
    sessions,
    { follow: () => disposable(() => undefined) },
    () => 'next',
  )
  const begin = () => {
    const conversation = new LiveConversation(
      { title: 'A task', agent: 'Robo', folder: '/p' },
      { send: done, stop: done, restart: done, end: done, choose: done },
    )
    return { conversation, known: conversations.add(conversation) }
  }
  const heard: unknown[] = []
  sessions.onStream('one', (event) => heard.push(event))
  sessions.onWork('one', (isWorking) => heard.push(isWorking))
  return { sessions, begin, heard }
}

test('who follows a session hears of its conversation, also of one that comes later', () => {
  const { begin, heard, sessions } = rig()
  const { conversation, known } = begin()
  conversation.streamed({ type: 'too-early' })
  conversation.update({ process: { phase: 'running', startedAt: 1 }, activity: 'working' })
  expect(heard).toEqual([])
  conversation.update({ session: 'one' })
  conversation.streamed({ type: 'message_start' })
  conversation.update({ costUSD: 1 })
  conversation.update({ activity: 'idle' })
  const other = begin().conversation
  other.update({ session: 'two', activity: 'working' })
  other.streamed({ type: 'other' })
  expect(heard).toEqual([true, { type: 'message_start' }, false])
  known.dispose()
  conversation.streamed({ type: 'late' })
  expect(heard).toHaveLength(3)
  expect(sessions.latest('one')).toBeUndefined()
})

test('of several conversations of a session, the one whose agent runs is told from those that have ended', () => {
  const { begin, sessions } = rig()
  const [first, second] = [begin().conversation, begin().conversation]
  first.update({ session: 'one', process: { phase: 'running', startedAt: 1 } })
  second.update({ session: 'one' })
  expect(sessions.running('one')).toBe(first)
  expect(sessions.latest('one')).toBe(second)
  first.update({ process: second.state.process })
  expect(sessions.running('one')).toBeUndefined()
})
