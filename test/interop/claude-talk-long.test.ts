import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, expect, test, vi } from 'vitest'
import { Talk } from '../talk'
import { byWord, held, prompts, startTalkingApp, type TalkingApp } from './claude-talk'
import { say, use } from './messages-api'

/** More of the same, for the long run. */
vi.setConfig({ testTimeout: 90_000 })
let app: TalkingApp | null = null
afterEach(async () => {
  await app?.dispose()
  app = null
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
    { CLAUDE_CODE_MAX_RETRIES: '2' },
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

test.each([
  ['is asked for again', say('All of it'), {}, 'reply: All of it'],
  ['is asked for again and stopped', held().reply(), {}, 'interrupted: [Request interrupted by user]'],
  [
    'is an error where that is switched off',
    say('All of it'),
    { CLAUDE_CODE_DISABLE_NONSTREAMING_FALLBACK: '1' },
    'reply: API Error: Stream idle timeout - no chunks received',
  ],
])('an answer that stalls %s, which is said; the next message begins a turn', async (_, again, env, then) => {
  app = await startTalkingApp(
    byWord({
      'zz-next': () => say('here again'),
      'zz-stall': ({ stream }) => (stream ? held('Half of it').reply() : again),
    }),
    // It takes no less.
    { ...env, CLAUDE_BYTE_STREAM_IDLE_TIMEOUT_MS: '10000' },
  )
  if (!app) return
  const talk = await Talk.begin(app.window, {}, 'zz-stall')
  const brokeOff = 'information: The answer broke off, so Claude doesn’t remember it.'
  await talk.until('its end', ({ said }) => said.includes(brokeOff))
  if (then.startsWith('interrupted')) {
    expect(talk.state?.activity).toBe('working')
    await talk.page.call('conversation.stop', { id: talk.id })
  }
  await talk.rests()
  await talk.until('what became of it', ({ said }) => said.includes(then))
  expect(new Set(talk.said)).toEqual(new Set(['prompt: zz-stall', 'reply: Half of it', brokeOff, then]))
  await talk.send('zz-next')
  await talk.until('the answer', ({ said }) => said.includes('reply: here again'))
  expect(app.api.requests.at(-1)?.everything).not.toContain('Half of it')
  expect(app.faults).toEqual([])
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
