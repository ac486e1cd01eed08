import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, expect, test, vi } from 'vitest'
import { untilDesk } from '../plain-desk'
import { Talk } from '../talk'
import { byWord, held, prompts, startTalkingApp, type TalkingApp } from './claude-talk'
import { say, use } from './messages-api'

/** Conversations without a terminal, with the real command line: what is said, stopped, queued, resumed and forked. */
vi.setConfig({ testTimeout: 90_000 })
let app: TalkingApp | null = null
afterEach(async () => {
  await app?.dispose()
  app = null
})

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
  // The MCP server is Greenlight's own.
  await talk.until(
    'its parts',
    ({ state }) => state?.parts.map(({ id }) => id).join() === 'tools,mcp,skills,plugins,agents',
  )
  expect(talk.state?.commands.map(({ name }) => name)).toContain('compact')
  const figures = await talk.page.call('conversation.figures', { id: talk.id })
  expect(figures.ok && figures.value.map(({ title }) => title)).toEqual([
    'Session',
    'claude-opus-5-5',
    'Context',
  ])
  expect(figures.ok && figures.value[0]?.rows).toContainEqual({ label: 'Model turns', value: '2' })
  expect(app.faults).toEqual([])
})

test.each(['append', 'replace'])('a system prompt (%s) reaches the model, and no argument', async (mode) => {
  app = await startTalkingApp(byWord({}))
  if (!app) return
  const words = 'zz-always-answer-in-rhymes'
  const talk = await Talk.begin(app.window, { systemPromptMode: mode, systemPrompt: words }, 'zz-first')
  await talk.rests()
  const systemOf = (word: string) =>
    JSON.stringify(
      app?.api.requests.find(({ main, latest }) => main && latest.includes(word))?.body['system'] ?? null,
    )
  const argumentsNow = () =>
    readFileSync(`/proc/${app?.window.connections.list()[0]?.pid}/cmdline`, 'utf8').split('\0')
  expect(systemOf('zz-first')).toContain(words)
  if (process.platform === 'linux') {
    expect(argumentsNow()).toContain('--input-format')
    expect(argumentsNow().join(' ')).not.toContain(words)
  }
  // Its own has headings.
  expect(systemOf('zz-first').includes('# ')).toBe(mode === 'append')
  // It is told anew to a program that was restarted.
  await talk.page.call('conversation.restart', { id: talk.id })
  await talk.send('zz-second')
  await talk.rests(2)
  expect(systemOf('zz-second')).toContain(words)
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
    value: { text: 'zz-one', pictures: [] },
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
  await resumed.until('the answer', ({ said }) => said[5] === 'reply: first')
  expect(resumed.said).toEqual([
    'prompt: zz-one',
    'reply: first',
    'prompt: zz-two',
    'reply: second',
    'prompt: zz-one more',
    'reply: first',
  ])
})
