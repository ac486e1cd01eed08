import { expect, test } from 'vitest'
import { type Done, fail, succeed } from '../../../shared/result'
import { LiveConversation } from './live-conversation'

const say = (text: string) => ({ text, pictures: [], withContext: false })

function rig() {
  const handed: string[] = []
  const given: string[] = []
  const answers: (Done | Promise<Done>)[] = []
  const conversation = new LiveConversation(
    { title: 'A task', agent: 'Robo', folder: '/p' },
    {
      send: ({ text }) => {
        given.push(text)
        return Promise.resolve(answers.shift() ?? succeed({}))
      },
      stop: () => {
        conversation.update({ activity: 'idle' })
        return Promise.resolve(succeed({}))
      },
      restart: () => Promise.resolve(succeed({})),
      end: () => Promise.resolve(succeed({})),
      give: (id) => {
        handed.push(id)
        return Promise.resolve(succeed({}))
      },
      recall: (id) => Promise.resolve(handed[0] === id ? succeed({}) : fail('gone', 'Begun.')),
      choose: (control, value) => {
        const { controls } = conversation.state
        conversation.update({
          controls: controls.map((one) => (one.id === control ? { ...one, value } : one)),
        })
        return Promise.resolve(succeed({}))
      },
    },
  )
  const run = () => conversation.update({ process: { phase: 'running', startedAt: 1 } })
  const queued = () => conversation.state.queue.map(({ text }) => text)
  return { conversation, given, handed, answers, run, queued }
}

/** After all that has been begun. */
const settled = () => new Promise((resolve) => setImmediate(resolve))

test('what is said while the agent works waits, can be changed, and is sent in order', async () => {
  const { conversation, given, run, queued } = rig()
  expect(await conversation.send(say('early'))).toMatchObject({ ok: false, failure: { code: 'not-running' } })
  run()
  await conversation.send(say('one'))
  for (const text of ['two', 'three', 'four']) await conversation.send(say(text))
  expect([given, queued()]).toEqual([['one'], ['two', 'three', 'four']])
  const [two, three, four] = conversation.state.queue.map(({ id }) => id)
  conversation.move(four ?? '', 0)
  conversation.edit(two ?? '', 'two, better')
  expect(await conversation.withdraw(three ?? '')).toEqual({
    ok: true,
    value: { text: 'three', pictures: [] },
  })
  conversation.update({ activity: 'idle' })
  await settled()
  expect([given, queued()]).toEqual([['one', 'four'], ['two, better']])
  expect(conversation.edit(four ?? '', 'late')).toMatchObject({ ok: false, failure: { code: 'gone' } })
  conversation.update({ activity: 'idle' })
  await settled()
  expect(given).toEqual(['one', 'four', 'two, better'])
})

test('what is said while the agent starts waits until it runs', async () => {
  const { conversation, given, run, queued } = rig()
  conversation.update({ process: { phase: 'starting' } })
  expect(await conversation.send(say('one'))).toEqual(succeed({}))
  expect([given, queued()]).toEqual([[], ['one']])
  run()
  await settled()
  expect([given, queued()]).toEqual([['one'], []])
})

test('after a stop what waits is held until the person says something', async () => {
  const { conversation, given, run, queued } = rig()
  run()
  await conversation.send(say('one'))
  await conversation.send(say('two'))
  await conversation.stop()
  await settled()
  expect([given, queued(), conversation.state.isQueueHeld]).toEqual([['one'], ['two'], true])
  await conversation.send(say('three'))
  await settled()
  expect([given, queued(), conversation.state.isQueueHeld]).toEqual([['one', 'two'], ['three'], false])
})

test('a message that could not be sent waits again, and says why', async () => {
  const { conversation, given, answers, run, queued } = rig()
  run()
  await conversation.send(say('one'))
  await conversation.send(say('two'))
  answers.push(fail('closed', 'Robo does not read.'))
  conversation.update({ activity: 'idle' })
  await settled()
  expect([given, queued(), conversation.state.isQueueHeld]).toEqual([['one', 'two'], ['two'], true])
  expect(conversation.source.page(1).items).toMatchObject([{ kind: 'notice', text: 'Robo does not read.' }])
})

test('what is said while a message is being delivered waits, and is held if that fails', async () => {
  const { conversation, given, answers, run, queued } = rig()
  run()
  let end: (done: Done) => void = () => undefined
  answers.push(new Promise((resolve) => (end = resolve)))
  const first = conversation.send(say('one'))
  expect(await conversation.send(say('two'))).toMatchObject({ ok: true })
  expect([given, queued(), conversation.state.isQueueHeld]).toEqual([['one'], ['two'], false])
  end(fail('closed', 'Robo does not read.'))
  expect(await first).toMatchObject({ ok: false })
  await settled()
  expect([given, queued(), conversation.state.isQueueHeld]).toEqual([['one'], ['two'], true])
})

test('what waits is sent also when the turn ends before the delivery does', async () => {
  const { conversation, given, answers, run, queued } = rig()
  run()
  let end: (done: Done) => void = () => undefined
  answers.push(new Promise((resolve) => (end = resolve)))
  const first = conversation.send(say('one'))
  await conversation.send(say('two'))
  conversation.update({ activity: 'idle' })
  await settled()
  expect(given).toEqual(['one'])
  end(succeed({}))
  await first
  await settled()
  expect([given, queued()]).toEqual([['one', 'two'], []])
})

test('the end of its process is the end of its turn; what waits goes on after a restart', async () => {
  const { conversation, given, run, queued } = rig()
  run()
  await conversation.send(say('one'))
  await conversation.send(say('two'))
  const end = { code: 'failed' as const, message: 'Ended.', complaints: '' }
  conversation.update({ process: { phase: 'ended', end } })
  await settled()
  expect([conversation.state.activity, given, queued()]).toEqual(['idle', ['one'], ['two']])
  run()
  await settled()
  expect([given, queued()]).toEqual([['one', 'two'], []])
})

test('what a process was given and did not read waits again when it has ended, and is sent to the next one', async () => {
  const { conversation, given, run, queued } = rig()
  run()
  for (const text of ['one', 'two', 'three']) await conversation.send(say(text))
  await conversation.give(conversation.state.queue[1]?.id ?? '')
  const end = { code: 'failed' as const, message: 'Ended.', complaints: '' }
  conversation.update({ process: { phase: 'ended', end } })
  await settled()
  expect(conversation.state.queue.map(({ text, isGiven }) => [text, isGiven])).toEqual([
    ['three', false],
    ['two', false],
  ])
  run()
  await settled()
  expect([given, queued()]).toEqual([['one', 'three'], ['two']])
})

test('only what is offered can be chosen', async () => {
  const { conversation } = rig()
  const options = [
    { value: 'fast', label: 'Fast' },
    { value: 'careful', label: 'Careful' },
  ]
  conversation.update({ controls: [{ id: 'mode', label: 'Mode', value: 'fast', options }] })
  expect((await conversation.choose('mode', 'other')).ok).toBe(false)
  await conversation.choose('mode', 'careful')
  expect(conversation.state.controls[0]?.value).toBe('careful')
})

test('a waiting message can be given to the working agent, and taken back until the agent has come to it', async () => {
  const { conversation, given, handed, run, queued } = rig()
  run()
  for (const text of ['one', 'two', 'three', 'four']) await conversation.send(say(text))
  const [two = '', three = '', four = ''] = conversation.state.queue.map(({ id }) => id)
  await conversation.give(three)
  await conversation.give(four)
  expect(handed).toEqual([three, four])
  expect(conversation.state.queue.map(({ text, isGiven }) => [text, isGiven])).toEqual([
    ['three', true],
    ['four', true],
    ['two', false],
  ])
  expect(conversation.edit(three, 'late').ok).toBe(false)
  conversation.move(two, 0)
  expect(queued()).toEqual(['three', 'four', 'two'])
  expect(await conversation.withdraw(three)).toMatchObject({ ok: true, value: { text: 'three' } })
  expect(await conversation.withdraw(four)).toMatchObject({ ok: false, failure: { code: 'gone' } })
  conversation.taken(four)
  expect(queued()).toEqual(['two'])
  conversation.update({ activity: 'idle' })
  await settled()
  expect(given).toEqual(['one', 'two'])
})

test('an agent that does not stop in time may be ended; one that stops late is as any other', async () => {
  const told: boolean[] = []
  const conversation = new LiveConversation(
    { title: 'A task', agent: 'Robo', folder: '/p' },
    {
      send: () => Promise.resolve(succeed({})),
      stop: () => Promise.resolve(succeed({})),
      restart: () => Promise.resolve(succeed({})),
      end: () => Promise.resolve(succeed({})),
      choose: () => Promise.resolve(succeed({})),
    },
    { stopPatience: 1 },
  )
  const unresponsive = new Promise<void>((resolve) =>
    conversation.onState(({ isUnresponsive }) => {
      if (isUnresponsive === undefined) return
      told.push(isUnresponsive)
      resolve()
    }),
  )
  conversation.update({ process: { phase: 'running', startedAt: 1 } })
  await conversation.send(say('one'))
  await conversation.stop()
  await unresponsive
  conversation.update({ activity: 'idle' })
  expect(told).toEqual([true, false])
  expect(await conversation.fork('x', say('two'))).toMatchObject({ failure: { code: 'unsupported' } })
})

test('a message on its way to the agent is not sent a second time when its turn ends meanwhile', async () => {
  const sent: string[] = []
  let take: (done: Done) => void = () => undefined
  const conversation = new LiveConversation(
    { title: 'A task', agent: 'Robo', folder: '/p' },
    {
      send: ({ text }) => {
        sent.push(text)
        return Promise.resolve(succeed({}))
      },
      stop: () => Promise.resolve(succeed({})),
      restart: () => Promise.resolve(succeed({})),
      end: () => Promise.resolve(succeed({})),
      choose: () => Promise.resolve(succeed({})),
      give: () => new Promise((resolve) => (take = resolve)),
    },
  )
  conversation.update({ process: { phase: 'running', startedAt: 1 } })
  await conversation.send(say('one'))
  await conversation.send(say('two'))
  const id = conversation.state.queue[0]?.id ?? ''
  const given = conversation.give(id)
  conversation.update({ activity: 'idle' })
  await settled()
  expect(sent).toEqual(['one'])
  take(fail('behind', 'Robo does not read.'))
  expect(await given).toMatchObject({ failure: { code: 'behind' } })
  await settled()
  expect(sent).toEqual(['one', 'two'])
})

test('what comes in pieces is whole whenever somebody looks, and each piece is told', () => {
  const { conversation } = rig()
  const told: string[] = []
  conversation.source.onChange(({ kind }) => told.push(kind))
  const more = (text: string) => conversation.say({ kind: 'more', item: 'r', place: 0, text })
  conversation.say({
    kind: 'put',
    item: {
      ...{ kind: 'reply', id: 'r', offset: 0, at: null, branches: null, model: null, usage: null },
      ...{ costUSD: null, stopReason: null, isError: false, blocks: [{ kind: 'text', text: '' }] },
    },
  })
  more('a')
  more('b')
  expect(conversation.item('r')).toMatchObject({ blocks: [{ text: 'ab' }] })
  more('c')
  expect(conversation.source.page(1).items).toMatchObject([{ blocks: [{ text: 'abc' }] }])
  conversation.say({ kind: 'block', item: 'r', place: 0, block: { kind: 'text', text: 'abc!' } })
  expect(conversation.item('r')).toMatchObject({ blocks: [{ text: 'abc!' }] })
  expect(told).toEqual(['put', 'more', 'more', 'more', 'block'])
})
