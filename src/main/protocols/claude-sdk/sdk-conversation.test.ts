import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { nothingSeen, type Seen } from '../../../shared/agent-view'
import type { SentItem } from '../../../shared/contract/context'
import { type Done, fail, succeed } from '../../../shared/result'
import { type GateMode, GatePolicy } from '../../core/gate/gate-policy'
import { PermissionDesk } from './permission-desk'
import { SdkConversation } from './sdk-conversation'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

const gate = {
  rules: { of: () => Promise.resolve(null) },
  ledger: { expect: () => undefined, cancel: () => undefined },
  receive: () => Promise.resolve(),
}

/** What today’s programs answer to `initialize`. */
const introduced = { subtype: 'success', response: { hook_on_failure_supported: true } }

function rig(policy = new GatePolicy(() => 'every')) {
  const written: { type: string; request?: { subtype: string }; request_id?: string }[] = []
  const seen: Seen = { ...nothingSeen, latest: { path: '/p/a', start: at(1), end: at(2), text: 'two\n' } }
  const told: SentItem[] = []
  let taken: Done = succeed({})
  const conversation = new SdkConversation(
    {
      transport: {
        write: (line) => {
          written.push(JSON.parse(line) as (typeof written)[number])
          return Promise.resolve(taken)
        },
        restart: () => Promise.resolve(succeed({})),
        end: () => Promise.resolve(succeed({})),
      },
      desk: new PermissionDesk({
        ...gate,
        policy: policy.for('c'),
        review: () => Promise.resolve({ kind: 'rejected' }),
        approve: () => Promise.resolve({ kind: 'refused', message: 'Nobody is here.' }),
        origin: (call) => ({ dialect: 'claude-sdk', connection: 'c', agent: 'Claude', call }),
        folder: null,
        report: () => undefined,
      }),
      context: { seen: () => seen, sent: (item) => void told.push(item) },
      report: () => undefined,
    },
    {
      ...{ title: 'A task', folder: '/p', mayBypass: false },
      chosen: { model: 'default', permissionMode: 'default', effort: 'default' },
    },
  )
  const answer = (response: object) => {
    const asked = written.findLast(({ type }) => type === 'control_request')
    conversation.take({ type: 'control_response', response: { ...response, request_id: asked?.request_id } })
  }
  return {
    conversation,
    written,
    told,
    answer,
    /** What the program is written comes to this. */
    takes: (done: Done) => void (taken = done),
    begin: () => conversation.begin({ phase: 'running', startedAt: 1 }),
  }
}

const message = { text: 'Hello', pictures: [], withContext: false }
const at = (line: number) => ({ line, character: 0 })

test('one that never answers is given up after a minute, with the reason', async () => {
  const { conversation, begin } = rig()
  const begun = begin()
  await vi.advanceTimersByTimeAsync(59_000)
  expect(conversation.live.state.process.phase).toBe('ended')
  await vi.advanceTimersByTimeAsync(1_000)
  expect(await begun).toMatchObject({ ok: false, failure: { code: 'no-answer' } })
  expect(conversation.live.source.page(5).items).toMatchObject([
    {
      kind: 'notice',
      what: 'error',
      text: expect.stringContaining('did not answer within a minute') as string,
    },
  ])
})

test('one that refuses or answers otherwise says why', async () => {
  const refusing = rig()
  const begun = refusing.begin()
  refusing.answer({ subtype: 'error', error: 'Not allowed by your organization.' })
  expect(await begun).toEqual(fail('refused', 'Not allowed by your organization.'))
  const other = rig()
  const beginning = other.begin()
  other.answer({ subtype: 'success', response: { commands: 'none' } })
  expect(await beginning).toMatchObject({ failure: { code: 'unknown-version' } })
  // Its changes would be written as its mode has it, without a review.
  const taken = rig()
  const goingOn = taken.begin()
  taken.answer({ subtype: 'success', response: { hooks_applied: false } })
  expect(await goingOn).toMatchObject({ failure: { code: 'unreviewed' } })
  expect(await taken.conversation.live.send(message)).toMatchObject({ failure: { code: 'not-running' } })
})

test('one too old to refuse a change that it gets no answer to is not gone on with', async () => {
  const { conversation, begin, answer } = rig()
  const begun = begin()
  answer({ subtype: 'success', response: { hooks_applied: true } })
  const tooOld = 'This Claude Code is too old: its changes could be written without your review. Update it.'
  expect(await begun).toEqual(fail('unknown-version', tooOld))
  expect(await conversation.live.send(message)).toMatchObject({ failure: { code: 'not-running' } })
  expect(conversation.live.source.page(5).items).toMatchObject([{ what: 'error', text: tooOld }])
})

test('a turn is over also where its result has a form that isn’t known', async () => {
  const { conversation, begin, answer } = rig()
  const begun = begin()
  answer(introduced)
  await begun
  await conversation.live.send(message)
  expect(conversation.live.state.activity).toBe('working')
  conversation.take({ type: 'result', subtype: 'success', num_turns: 'many' })
  expect(conversation.live.state.activity).toBe('idle')
})

test('what the editor shows is on record only if the message with it was taken', async () => {
  const { conversation, told, begin, answer, takes } = rig()
  const begun = begin()
  answer(introduced)
  await begun
  takes(fail('behind', 'It does not read. Restart it.'))
  await conversation.live.send({ ...message, withContext: true })
  expect(told).toEqual([])
  takes(succeed({}))
  await conversation.live.send({ ...message, withContext: true })
  expect(told).toMatchObject([{ kind: 'selection', path: '/p/a' }])
})

test('every callback is answered validly: asked about while changes are reviewed, left to the mode when not', async () => {
  const { conversation, written, begin, answer } = rig()
  const begun = begin()
  answer(introduced)
  await begun
  const call = async (id: string, callback_id = 'before-edit') => {
    const input = {
      hook_event_name: 'PreToolUse',
      tool_name: 'Write',
      tool_input: { file_path: '/p/a', content: '' },
      tool_use_id: 't',
    }
    conversation.take({
      type: 'control_request',
      request_id: id,
      request: { subtype: 'hook_callback', callback_id, input },
    })
    await vi.advanceTimersByTimeAsync(0)
    return written.at(-1)
  }
  const decision = (permissionDecision: string) => ({
    response: {
      subtype: 'success',
      response: { hookSpecificOutput: { hookEventName: 'PreToolUse', permissionDecision } },
    },
  })
  expect(await call('a')).toMatchObject(decision('ask'))
  expect(await conversation.live.switch('review', false)).toMatchObject({ ok: true })
  expect(await call('b')).toMatchObject({ response: { subtype: 'success', response: {} } })
  expect(await call('c', 'somebody else’s')).toMatchObject({ response: { subtype: 'success', response: {} } })
  expect(conversation.live.state.switches).toMatchObject([{ id: 'review', isOn: false }])
})

test('what it was given and never came to waits here again when its process ends', async () => {
  const { conversation, begin, answer } = rig()
  const begun = begin()
  answer(introduced)
  await begun
  const { live } = conversation
  for (const text of ['one', 'two', 'three']) await live.send({ text, pictures: [], withContext: false })
  const [two = '', three = ''] = live.state.queue.map(({ id }) => id)
  await live.give(two)
  await live.give(three)
  const end = { code: 'failed' as const, message: 'Ended.', complaints: '' }
  conversation.processChanged({ phase: 'ended', end })
  expect(live.state.queue).toMatchObject([
    { text: 'two', isGiven: false },
    { text: 'three', isGiven: false },
  ])
  expect(await live.withdraw(two)).toMatchObject({ ok: true, value: { text: 'two' } })
})

test('it works from its start until it is there, and from a prompt until it rests, but for what the person is asked', async () => {
  const { conversation, begin, answer } = rig()
  const at = (ms: number) => vi.setSystemTime(ms)
  at(1000)
  const begun = begin()
  expect(conversation.workedAt).toBe(1000)
  answer(introduced)
  await begun
  conversation.take({ type: 'system', subtype: 'init', session_id: 's' })
  at(2000)
  expect(conversation.workedAt).toBe(2000)
  const call = (id: string, parent: string | null, name = 'Bash') =>
    conversation.take({
      ...{ type: 'assistant', parent_tool_use_id: parent },
      message: { id: `m${id}`, role: 'assistant', content: [{ type: 'tool_use', id, name, input: {} }] },
    })
  call('a', null)
  const ask = (id: string) =>
    conversation.take({
      ...{ type: 'control_request', request_id: id },
      request: { subtype: 'can_use_tool', tool_name: 'Bash', input: { command: 'ls' }, tool_use_id: id },
    })
  ask('a')
  at(3000)
  expect(conversation.workedAt).toBe(2000)
  // It is refused by then.
  await vi.advanceTimersByTimeAsync(0)
  expect(conversation.workedAt).toBe(3000)
  call('b', null, 'Task')
  call('c', null, 'Task')
  call('d', 'b')
  call('e', 'c')
  ask('d')
  at(4000)
  expect(conversation.workedAt).toBe(4000)
  ask('e')
  expect(conversation.workedAt).toBe(3000)
  await vi.advanceTimersByTimeAsync(0)
  conversation.take({ type: 'system', subtype: 'task_started', task_id: 't', description: 'Build' })
  conversation.take({ type: 'result', subtype: 'success', session_id: 's' })
  for (const id of ['d', 'e'])
    conversation.take({
      ...{ type: 'user', parent_tool_use_id: id === 'd' ? 'b' : 'c' },
      message: { role: 'user', content: [{ type: 'tool_result', tool_use_id: id, content: '' }] },
    })
  at(5000)
  expect(conversation.workedAt).toBe(5000)
  conversation.take({ type: 'system', subtype: 'task_notification', task_id: 't', status: 'completed' })
  at(6000)
  expect(conversation.workedAt).toBe(5000)
})

test('its switch is how much is asked of it: as usual, until the person says otherwise', async () => {
  let usual: GateMode = 'every'
  const policy = new GatePolicy(() => usual)
  const { conversation } = rig(policy)
  const isOn = () => conversation.live.state.switches.map((one) => one.isOn)
  expect(isOn()).toEqual([true])
  usual = 'mode'
  policy.tell()
  expect(isOn()).toEqual([false])
  expect(await conversation.live.switch('review', true)).toEqual(succeed({}))
  expect(isOn()).toEqual([true])
  expect([policy.of('c'), policy.of('other')]).toEqual(['every', 'mode'])
})

test('its figures count turns of the model and tools that were not allowed, over all results', async () => {
  const { conversation, written } = rig()
  for (const [num_turns, denied] of [
    [2, ['a']],
    [1, []],
  ] as const)
    conversation.take({
      ...{ type: 'result', subtype: 'success', num_turns },
      permission_denials: denied.map((tool_use_id) => ({ tool_name: 'Bash', tool_use_id })),
    })
  const asked = conversation.live.figures()
  await vi.advanceTimersByTimeAsync(0)
  for (const { request, request_id } of written) {
    const isUsage = request?.subtype === 'get_usage'
    const answer = isUsage
      ? { subtype: 'success', response: { session: {} } }
      : { subtype: 'error', error: 'No.' }
    conversation.take({ type: 'control_response', response: { ...answer, request_id } })
  }
  const rows = [
    { label: 'Model turns', value: '3' },
    { label: 'Tools not allowed', value: '1' },
  ]
  expect(await asked).toMatchObject({ ok: true, value: [{ rows: expect.arrayContaining(rows) as unknown }] })
})
