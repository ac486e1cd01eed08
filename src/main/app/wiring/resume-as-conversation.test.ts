import { mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { SessionWriter, text } from '../../../../test/conversation-harness/session-writer'
import { recordSession } from '../../../../test/e2e/recorded-session'
import { openWindowOn, pageOf, startPlainApp } from '../../../../test/plain-app'
import { putOnPath } from '../../../../test/program-on-path'
import { runningClaudes, scriptedClaude } from '../../../../test/scripted-claude/scripted-claude'
import { Talk } from '../../../../test/talk'
import type { App } from '../app'
import { sessionOfTab } from '../page/session-handlers'
import type { WindowHost } from '../window-host'

const session = '0f8a3c52-6a8e-4d0b-9a56-0c7c9f1d2e33'
/** Of the scripted command line, for a session of its own. */
const copied = '11111111-2222-4333-8444-555555555555'

let home: string
let project: string
let other: string
let app: App
let window: WindowHost

beforeEach(async () => {
  home = await realpath(await mkdtemp(join(tmpdir(), 'greenlight-resume-')))
  ;[project, other] = [join(home, 'project'), join(home, 'other')]
  for (const folder of [project, other]) await mkdir(folder)
  putOnPath(join(home, 'bin'), 'claude', scriptedClaude)
  app = await startPlainApp(home, {
    env: { PATH: `${join(home, 'bin')}:${process.env['PATH'] ?? ''}`, HOME: home, SHELL: '/bin/sh' },
  })
  window = await openWindowOn(app, project)
  await window.parts.trust.answer(project, true)
  const record = new SessionWriter(Date.UTC(2026, 0, 1))
    .prompt('Why is the lamp flickering?')
    .reply('m-1', text('A loose contact.'))
  recordSession({ home, project }, session, record.records, other)
})
afterEach(async () => {
  await app.shutdown()
  await rm(home, { recursive: true, force: true, maxRetries: 5 })
})

const resume = (from: WindowHost = window) => pageOf(from).call('conversation.resume', { session })
const tabs = (of: WindowHost = window) =>
  of.tabs.state.tabs.flatMap((tab) => (tab.kind === 'other' ? (sessionOfTab(tab.name) ?? []) : []))
const trustOther = () => window.parts.trust.answer(other, true)

/** Resumes the session, and gives its conversation. */
async function resumed(isCopy = false): Promise<Talk> {
  const answer = await resume()
  if (!answer.ok || answer.value.id === null) throw new Error(JSON.stringify(answer))
  expect(answer.value.isCopy).toBe(isCopy)
  return Talk.of(window, answer.value.id)
}

async function argumentsOf(talk: Talk): Promise<string> {
  await talk.send('arguments')
  return talk.until('its arguments', ({ said }) => said.find((one) => one.includes('started with')))
}

/** Has this process count as a command line that is in the session. */
async function runElsewhere(): Promise<void> {
  const notes = join(home, '.claude', 'sessions')
  await mkdir(notes, { recursive: true })
  const note = { pid: process.pid, sessionId: session, status: 'idle' }
  await writeFile(join(notes, `${process.pid}.json`), JSON.stringify(note))
  await vi.waitFor(() => expect(window.parts.history.noted.of(session)).not.toBeNull())
}

test('a session goes on in the folder that it began in, with what was said in it, once however often it is asked', async () => {
  await trustOther()
  const [first, second] = await Promise.all([resume(), resume()])
  expect(first).toMatchObject({ ok: true, value: { isCopy: false } })
  expect(second).toEqual(first)
  const talk = await resumed()
  expect(tabs()).toEqual([talk.id])
  await talk.until('what was said', ({ said }) => said.some((one) => one.includes('A loose contact.')))
  expect(talk.state).toMatchObject({ session, folder: other })
  const started = await argumentsOf(talk)
  expect(started).toContain(`--resume=${session}`)
  expect(started).not.toContain('--fork-session')
  expect(runningClaudes(home)).toHaveLength(1)
})

test('what is begun from it in turn works in the same folder', async () => {
  await trustOther()
  const talk = await resumed()
  await talk.send('wait')
  await talk.until('the prompt', ({ items }) => items.some(({ id }) => id.startsWith('u:')))
  const [prompt] = talk.items.filter(({ kind }) => kind === 'prompt')
  const forked = await talk.page.call('conversation.fork', {
    ...{ id: talk.id, before: prompt?.id ?? '', text: 'arguments', pictures: [], withContext: false },
  })
  if (!forked.ok) throw new Error(forked.failure.message)
  const next = talk.other(forked.value.id)
  await next.until('its folder', ({ state }) => state?.folder === other)
})

test('nothing is started in a folder that isn’t trusted', async () => {
  expect(await resume()).toMatchObject({ ok: false, failure: { code: 'untrusted' } })
  expect(tabs()).toEqual([])
  expect(runningClaudes(home)).toEqual([])
})

test('a session that is in no list is said to be gone', async () => {
  await rm(join(home, '.claude'), { recursive: true })
  expect(await resume()).toMatchObject({ ok: false, failure: { code: 'unknown-session' } })
})

test('a session that runs elsewhere goes on there, and here as a copy', async () => {
  await trustOther()
  await runElsewhere()
  const talk = await resumed(true)
  expect(await argumentsOf(talk)).toContain(`--resume=${session} --fork-session`)
  await talk.until('its own session', ({ state }) => state?.session === copied)
  expect(window.parts.drivenSessions.running(session)).toBeUndefined()
})

test('a conversation whose agent has ended is restarted in its tab', async () => {
  await trustOther()
  const talk = await resumed()
  await talk.send('die 0')
  await talk.until('its end', ({ state }) => state?.process.phase === 'ended')
  expect((await resumed()).id).toBe(talk.id)
  await talk.until('its start', ({ state }) => state?.process.phase === 'running')
  expect(tabs()).toEqual([talk.id])
})

test('a conversation in another window is shown there', async () => {
  await trustOther()
  const talk = await resumed()
  const second = await openWindowOn(app, other)
  const focus = vi.fn()
  window.onFocusRequest(focus)
  window.tabs.openOther('settings')
  expect(await resume(second)).toEqual({ ok: true, value: { id: null, isCopy: false } })
  expect(window.tabs.active).toMatchObject({ name: `session ${talk.id}` })
  expect(focus).toHaveBeenCalledOnce()
  expect(tabs(second)).toEqual([])
})

test('the list says as long as a conversation runs a session, which only a copy in a terminal may join', async () => {
  await trustOther()
  const told: boolean[] = []
  const { history } = window.parts
  await history.start()
  pageOf(window).subscribe(
    'sessions',
    {},
    {
      snapshot: () => undefined,
      delta: ({ put = [] }) => told.push(...put.map(({ isDriven }) => isDriven)),
      refused: () => undefined,
    },
  )
  await vi.waitFor(() => expect(told.at(-1)).toBe(false))
  await resumed()
  await vi.waitFor(() => expect(told.at(-1)).toBe(true))
  expect(await history.placeOf(session)).toEqual({ kind: 'elsewhere' })
  const trash = () => pageOf(window).call('sessions.trash', { id: session })
  expect(await trash()).toMatchObject({ ok: false, failure: { code: 'running' } })
  window.tabs.close(window.tabs.active?.id ?? '')
  await vi.waitFor(() => expect(told.at(-1)).toBe(false))
  expect(await history.placeOf(session)).toEqual({ kind: 'none' })
})
