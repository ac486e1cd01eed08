import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, expect, test, vi } from 'vitest'
import { textOf } from '../../src/shared/conversation/transcript'
import { untilDesk } from '../plain-desk'
import { Talk } from '../talk'
import { startTalkingApp, type TalkingApp } from './claude-talk'
import { type Reply, say, type Script, type SeenRequest, use } from './messages-api'

/** Conversations without a terminal, with the real command line: what is said, stopped, queued, resumed and forked. */
vi.setConfig({ testTimeout: 90_000 })
let app: TalkingApp | null = null
afterEach(async () => {
  await app?.dispose()
  app = null
})

/** A model that knows what to answer by a word in what was said last; else it says what the person said. */
function byWord(words: Record<string, (request: SeenRequest) => Reply | Promise<Reply>>): Script {
  return (request) => {
    if (!request.main) return say('ok')
    const found = Object.keys(words).find((word) => request.latest.includes(word))
    return found === undefined ? say('fine') : (words[found]?.(request) ?? say('fine'))
  }
}

/** A text that comes in pieces until it is let go. */
function held(...pieces: string[]) {
  let letGo: () => void = () => undefined
  const end = new Promise<void>((resolve) => (letGo = resolve))
  async function* text() {
    yield* pieces
    await end
    yield ' and the rest'
  }
  return { reply: (): Reply => ({ blocks: [{ type: 'text', text: text() }] }), letGo: () => letGo() }
}

const prompts = (talk: Talk) =>
  talk.items.flatMap((item) => (item.kind === 'prompt' ? [{ id: item.id, text: textOf(item.blocks) }] : []))

test('a turn with thinking, text and a tool is shown as it comes, and what it cost', async () => {
  const slow = held('One ', 'two')
  app = await startTalkingApp(
    byWord({
      'zz-begin': () => ({
        blocks: [
          { type: 'thinking', thinking: 'let me think' },
          { type: 'text', text: 'I look.' },
          { type: 'tool_use', name: 'Bash', input: { command: 'echo hi', description: 'Say hi' } },
        ],
      }),
      hi: slow.reply,
    }),
  )
  if (!app) return
  const talk = await Talk.begin(app.window, {}, 'zz-begin')
  // While it is still being said.
  await talk.until('a part of the answer', ({ said }) => said.includes('reply: One two'))
  expect(talk.state).toMatchObject({ activity: 'working', agent: 'Claude' })
  slow.letGo()
  await talk.until('the answer', ({ said }) => said.includes('reply: One two and the rest'))
  await talk.rests()
  const [, first] = talk.items
  expect(first).toMatchObject({
    kind: 'reply',
    blocks: [
      { kind: 'thinking', text: 'let me think' },
      { kind: 'text', text: 'I look.' },
      { kind: 'tool', call: { kind: 'run', state: 'done', result: { isError: false } } },
    ],
  })
  await talk.until('its figures', ({ state }) => state?.usage && state.costUSD !== null && state.context)
  expect(talk.state?.parts.map(({ id }) => id)).toEqual(['tools', 'skills', 'plugins', 'agents'])
  expect(talk.state?.commands.map(({ name }) => name)).toContain('compact')
  const figures = await talk.page.call('conversation.figures', { id: talk.id })
  expect(figures.ok && figures.value.map(({ title }) => title)).toEqual([
    'Session',
    'claude-opus-5-5',
    'Context',
  ])
  expect(app.faults).toEqual([])
})

test('a sub-agent is shown under its call, and its change is reviewed', async () => {
  app = await startTalkingApp()
  if (!app) return
  const path = join(app.place.project, 'app.txt')
  writeFileSync(path, 'one\ntwo\n')
  app.api.setScript(
    byWord({
      'zz-parent': () =>
        use({
          name: 'Task',
          input: {
            description: 'Edit',
            prompt: 'zz-child',
            subagent_type: 'general-purpose',
            run_in_background: false,
          },
        }),
      'zz-child': () => use({ name: 'Read', id: 'toolu_read', input: { file_path: path } }),
      '\ttwo': () => use({ name: 'Edit', input: { file_path: path, old_string: 'two', new_string: 'TWO' } }),
    }),
  )
  const talk = await Talk.begin(app.window, { permissionMode: 'acceptEdits' }, 'zz-parent')
  const { desk } = app.window.parts
  const review = await untilDesk(desk, () =>
    desk.summaries().find((one) => one.path === path && one.phase === 'open'),
  )
  expect(readFileSync(path, 'utf8')).toBe('one\ntwo\n')
  desk.accept(review.id, review.revision)
  await talk.rests()
  expect(readFileSync(path, 'utf8')).toBe('one\nTWO\n')
  const [task] = talk.calls
  expect(task).toMatchObject({ kind: 'task', name: 'Task' })
  const inner = await talk.until('what the sub-agent did', ({ transcript }) => {
    const items = transcript.agentItems(task?.agent ?? '')
    return (
      items.some((item) => item.kind === 'reply' && JSON.stringify(item).includes('"state":"done"')) && items
    )
  })
  expect(JSON.stringify(inner)).toContain('TWO')
})

test('stopped in the middle: what was said stays, and the next message begins a turn', async () => {
  const slow = held('Half of it')
  app = await startTalkingApp(byWord({ 'zz-slow': slow.reply, 'zz-next': () => say('here again') }))
  if (!app) return
  const talk = await Talk.begin(app.window, {}, 'zz-slow')
  await talk.until('a part', ({ said }) => said.includes('reply: Half of it'))
  expect(await talk.page.call('conversation.stop', { id: talk.id })).toMatchObject({ ok: true })
  await talk.rests()
  await talk.until('the notice', ({ said }) => said.some((one) => one.startsWith('interrupted')))
  expect(talk.said.filter((one) => one.startsWith('error'))).toEqual([])
  expect(talk.said).toContain('reply: Half of it')
  slow.letGo()
  await talk.send('zz-next')
  await talk.until('the answer', ({ said }) => said.includes('reply: here again'))
})

test('a command that was stopped as it ran has not been refused', async () => {
  app = await startTalkingApp(
    byWord({
      'zz-long': () =>
        use({ name: 'Bash', input: { command: 'touch begun; sleep 20', description: 'Wait' } }),
    }),
  )
  if (!app) return
  const talk = await Talk.begin(app.window, { permissionMode: 'bypassPermissions' }, 'zz-long')
  const begun = join(app.place.project, 'begun')
  await vi.waitFor(() => expect(existsSync(begun)).toBe(true), { timeout: 30_000 })
  await talk.page.call('conversation.stop', { id: talk.id })
  await talk.rests()
  await talk.until('its end', ({ calls }) => calls[0]?.state === 'stopped')
})

test('what is said while it works is queued, given, taken back, and survives a stop', async () => {
  const slow = held('Working')
  app = await startTalkingApp(byWord({ 'zz-slow': slow.reply }))
  if (!app) return
  const talk = await Talk.begin(app.window, {}, 'zz-slow')
  const { page, id } = talk
  await talk.until('a part', ({ said }) => said.includes('reply: Working'))
  for (const text of ['zz-one', 'zz-two', 'zz-three']) await talk.send(text)
  const queue = () => talk.state?.queue.map(({ text, isGiven }) => `${text}${isGiven ? ' given' : ''}`)
  await talk.until('the queue', () => talk.state?.queue.length === 3)
  const [one, two] = talk.state?.queue ?? []
  await page.call('conversation.give', { id, message: one?.id ?? '' })
  await page.call('conversation.give', { id, message: two?.id ?? '' })
  await talk.until('two given', () => queue()?.join() === 'zz-one given,zz-two given,zz-three')
  expect(await page.call('conversation.withdraw', { id, message: one?.id ?? '' })).toEqual({
    ok: true,
    value: { text: 'zz-one' },
  })
  await page.call('conversation.stop', { id })
  await talk.rests()
  await talk.until('the queue held', () => queue()?.join() === 'zz-two,zz-three' && talk.state?.isQueueHeld)
  slow.letGo()
  await talk.send('zz-four')
  await talk.until(
    'all answered',
    () => talk.state?.queue.length === 0 && talk.said.filter((text) => text === 'reply: fine').length >= 3,
  )
  expect(prompts(talk).map(({ text }) => text)).toEqual(['zz-slow', 'zz-two', 'zz-three', 'zz-four'])
})

test('what is given while tools run is read between two of them', async () => {
  app = await startTalkingApp(
    byWord({
      'zz-given': () => say('read in between'),
      'zz-tools': () => use({ name: 'Bash', input: { command: 'sleep 2', description: 'Wait' } }),
    }),
  )
  if (!app) return
  const talk = await Talk.begin(app.window, { permissionMode: 'bypassPermissions' }, 'zz-tools')
  await talk.until('the tool', ({ calls }) => calls[0]?.input instanceof Object)
  await talk.send('zz-given')
  await talk.until('the queue', () => talk.state?.queue.length === 1)
  await talk.page.call('conversation.give', { id: talk.id, message: talk.state?.queue[0]?.id ?? '' })
  await talk.until('the answer', ({ said }) => said.includes('reply: read in between'))
  await talk.rests()
  expect(talk.state?.queue).toEqual([])
  expect(prompts(talk).map(({ text }) => text)).toEqual(['zz-tools', 'zz-given'])
  expect(app.api.requests.filter(({ main }) => main)).toHaveLength(2)
})

test('model, mode and effort are changed as it goes on', async () => {
  app = await startTalkingApp()
  if (!app) return
  const talk = await Talk.begin(app.window, {}, 'hello')
  await talk.rests()
  const choose = (control: string, value: string) =>
    talk.page.call('conversation.choose', { id: talk.id, control, value })
  for (const [control, value] of [
    ['model', 'sonnet'],
    ['permissionMode', 'plan'],
    ['effort', 'low'],
  ] as const)
    expect(await choose(control, value)).toMatchObject({ ok: true })
  await talk.until(
    'all of them',
    ({ state }) => state?.controls.map(({ value }) => value).join() === 'sonnet,plan,low',
  )
  expect(await choose('permissionMode', 'bypassPermissions')).toMatchObject({ ok: false })
  await talk.send('go on')
  await talk.rests(2)
  const last = app.api.requests.findLast(({ main }) => main)
  expect(last?.model).toContain('sonnet')
  expect(last?.everything).toContain('Plan mode')
})

test('resumed and forked: what was said is there, and goes on', async () => {
  app = await startTalkingApp(
    byWord({
      'zz-one': () => say('first'),
      'zz-two': () => say('second'),
      'zz-other': () => say('another way'),
    }),
  )
  if (!app) return
  const talk = await Talk.begin(app.window, {}, 'zz-one')
  await talk.rests()
  await talk.send('zz-two')
  await talk.rests(2)
  const session = talk.state?.session ?? ''
  const second = prompts(talk).at(-1)?.id ?? ''
  const forked = await talk.page.call('conversation.fork', {
    id: talk.id,
    before: second,
    text: 'zz-other',
    pictures: [],
    withContext: false,
  })
  expect(forked).toMatchObject({ ok: true })
  const other = talk.other(forked.ok ? forked.value.id : '')
  await other.until('the other answer', ({ said }) => said.includes('reply: another way'))
  expect(prompts(other).map(({ text }) => text)).toEqual(['zz-one', 'zz-other'])
  await other.rests()
  expect(other.state?.session).not.toBe(session)
  const asked = app.api.requests.findLast(({ latest }) => latest.includes('zz-other'))
  expect(asked?.everything).not.toContain('zz-two')

  const resumed = await Talk.begin(app.window, { resume: session }, 'zz-one more')
  await resumed.rests()
  expect(resumed.state?.session).toBe(session)
  await resumed.until('the answer', ({ said }) => said.length === 6)
  expect(resumed.said).toEqual([
    'prompt: zz-one',
    'reply: first',
    'prompt: zz-two',
    'reply: second',
    'prompt: zz-one more',
    'reply: first',
  ])
})

test('two conversations at once do not mix', async () => {
  const slow = held('Slow one')
  app = await startTalkingApp(byWord({ 'zz-slow': slow.reply, 'zz-quick': () => say('Quick one') }))
  if (!app) return
  const first = await Talk.begin(app.window, {}, 'zz-slow')
  await first.until('a part', ({ said }) => said.includes('reply: Slow one'))
  const second = await Talk.begin(app.window, { model: 'sonnet' }, 'zz-quick')
  await second.rests()
  expect(first.state?.activity).toBe('working')
  slow.letGo()
  await first.rests()
  expect(second.said).toEqual(['prompt: zz-quick', 'reply: Quick one'])
  expect(first.state?.session).not.toBe(second.state?.session)
})

test.each([
  [401, 'authentication_error', 'bad key'],
  [429, 'rate_limit_error', 'slow down'],
  [529, 'overloaded_error', 'too busy'],
])('an error %i of the service is said, each try and the end', async (status, error, words) => {
  app = await startTalkingApp(
    byWord({ 'zz-next': () => say('well again'), 'zz-error': () => ({ status, error, message: words }) }),
    { tries: 2 },
  )
  if (!app) return
  const talk = await Talk.begin(app.window, {}, 'zz-error')
  await talk.rests()
  await talk.until('the error', ({ items }) => items.some((item) => item.kind === 'reply' && item.isError))
  const errors = talk.said.filter((one) => one.startsWith('error') || one.includes('API Error'))
  expect(errors).toHaveLength(2)
  expect(errors[0]).toContain(`The service answered ${status}. Trying again`)
  expect(errors[0]).toContain('(2 of 2)')
  await talk.send('zz-next')
  await talk.until('the answer', ({ said }) => said.includes('reply: well again'))
})

test('killed in the middle of a turn, it is resumed with all that was said', async () => {
  const slow = held('Half of it')
  app = await startTalkingApp(
    byWord({ 'zz-one': () => say('first'), 'zz-slow': slow.reply, 'zz-next': () => say('goes on') }),
  )
  if (!app) return
  const talk = await Talk.begin(app.window, {}, 'zz-one')
  await talk.rests()
  await talk.send('zz-slow')
  await talk.until('a part', ({ said }) => said.includes('reply: Half of it'))
  const [connection] = app.window.connections.list()
  process.kill(connection?.pid ?? 0, 'SIGKILL')
  await talk.until(
    'its end',
    ({ state }) => state?.process.phase === 'ended' && state.process.end.code === 'killed',
  )
  expect(talk.state?.activity).toBe('idle')
  expect(app.window.connections.list()).toEqual([])
  expect(await talk.page.call('conversation.restart', { id: talk.id })).toMatchObject({ ok: true })
  await talk.send('zz-next')
  await talk.until('the answer', ({ said }) => said.includes('reply: goes on'))
  slow.letGo()
  expect(app.api.requests.at(-1)?.everything).toContain('first')
  expect(talk.said).toContain('reply: Half of it')
})
