import { mkdir, mkdtemp, readFile, realpath, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { recordSession } from '../../../../test/e2e/recorded-session'
import { SessionWriter, text, tool } from '../../../../test/conversation-harness/session-writer'
import { openWindowOn, pageOf, startPlainApp } from '../../../../test/plain-app'
import { putOnPath } from '../../../../test/program-on-path'
import { runningClaudes, scriptedClaude } from '../../../../test/scripted-claude/scripted-claude'
import { message, Talk } from '../../../../test/talk'
import { nextConversationIn } from '../../../shared/conversation/live-id'
import { textOf } from '../../../shared/conversation/transcript'
import { hashContent } from '../../core/files/content-hash'
import { fileFailure } from '../../core/files/file-failure'
import { SessionFile } from '../../core/history/session-file'
import type { App } from '../app'
import { sessionOfTab } from '../page/session-handlers'
import type { WindowHost } from '../window-host'

/** Conversations with a program that does what the real command line doesn’t (test/scripted-claude). */

let home: string
let project: string
let app: App
let window: WindowHost
let warnings: [string, unknown][]
let faults: unknown[]

beforeEach(async () => {
  home = await realpath(await mkdtemp(join(tmpdir(), 'greenlight-stdio-')))
  project = join(home, 'project')
  await mkdir(project)
  putOnPath(join(home, 'bin'), 'claude', scriptedClaude)
  warnings = []
  faults = []
  await start()
  await window.parts.trust.answer(project, true)
})
async function start(): Promise<void> {
  app = await startPlainApp(home, {
    env: { PATH: `${join(home, 'bin')}:${process.env['PATH'] ?? ''}`, HOME: home, SHELL: '/bin/sh' },
    log: {
      info: () => undefined,
      warn: (event, fields) => void warnings.push([event, fields]),
      error: (event, fields) => void faults.push([event, fields]),
    },
  })
  window = await openWindowOn(app, project)
}
afterEach(async () => {
  vi.restoreAllMocks()
  await app.shutdown()
  await rm(home, { recursive: true, force: true, maxRetries: 5 })
})

const says = (talk: Talk, words: string) =>
  talk.until(words, ({ said }) => said.find((one) => one.includes(words)))
const causes = () =>
  warnings.flatMap(([event, fields]) =>
    event === 'claude-sdk' ? [(fields as { cause: unknown }).cause] : [],
  )

test('lines that hold no message are left out and told; the conversation goes on', async () => {
  const talk = await Talk.begin(window, {}, 'not-json')
  await says(talk, 'after the noise')
  await talk.rests()
  expect(causes()).toEqual(['not-json', 'not-a-message', 'not-a-message'])
  expect(talk.said).toContain('information: A line came that isn’t a message; it was left out.')
  expect(faults).toEqual([])
})

test('unknown messages are kept out of the view; an unknown question is refused', async () => {
  const talk = await Talk.begin(window, {}, 'unknown')
  await says(talk, 'Greenlight does not answer “dance”')
  await talk.rests()
  expect(talk.said).toHaveLength(2)
  expect(causes()).toContain('brand_new')
  expect(causes()).toContain('system brand_new')
})

test('a question that comes twice is one card, answered once', async () => {
  const talk = await Talk.begin(window, {}, 'twice')
  const { approvals } = window.parts
  await vi.waitFor(() => expect(approvals.list()).toHaveLength(1))
  const [asked] = approvals.list()
  await approvals.answer(asked?.id ?? '', { option: 'allow', values: {}, reason: null })
  await says(talk, 'told allow')
  expect(causes()).toEqual(['id-twice'])
  expect(asked?.question.requester).toMatchObject({ conversation: talk.id, dialect: 'claude-sdk' })
})

test('a question that is taken back stays as withdrawn, and nothing is allowed', async () => {
  const talk = await Talk.begin(window, {}, 'withdrawn')
  await says(talk, 'told deny')
  expect(window.parts.approvals.list()).toMatchObject([{ state: { kind: 'withdrawn', reason: 'cancelled' } }])
})

test('a flood of pieces comes to the same text', async () => {
  const talk = await Talk.begin(window, {}, 'pieces')
  await talk.rests()
  const reply = await talk.until('all of it', ({ items }) => items.find((item) => item.id === 'm:msg_pieces'))
  if (reply.kind !== 'reply') throw new Error('no reply')
  await talk.until('the end', () =>
    textOf(talk.items.flatMap((item) => (item.kind === 'reply' ? item.blocks : []))).includes('word19999'),
  )
  expect(talk.items).toHaveLength(2)
})

test('a result of 30 MB is cut, which it says, and what follows is there', async () => {
  const talk = await Talk.begin(window, {}, 'huge')
  await says(talk, 'after the result')
  const [call] = talk.calls
  expect(call).toMatchObject({ state: 'done', title: 'read (big)' })
  const kept = textOf(call?.result?.content ?? [])
  expect(kept.length).toBeLessThan(20_000)
  expect(kept).toMatch(/more characters\)$/)
})

test('a question too long to be read is refused, and said', async () => {
  const talk = await Talk.begin(window, {}, 'too-long')
  await says(talk, 'told This is too long')
  expect(talk.said.some((one) => one.startsWith('information: A message of 35 MB came'))).toBe(true)
})

test('a program that ends says why and its last words, and is restarted', async () => {
  const talk = await Talk.begin(window, {}, 'die 3')
  const { process } = await talk.until('its end', ({ state }) =>
    state?.process.phase === 'ended' && state.process.end.code === 'failed' ? state : null,
  )
  expect(process).toMatchObject({ end: { complaints: 'these are my last words' } })
  await says(talk, 'error: Claude has ended with the error code 3')
  expect(await talk.page.call('conversation.restart', { id: talk.id })).toMatchObject({ ok: true })
  await talk.send('not-json')
  await says(talk, 'after the noise')
})

test('a program that ends before it has read a line says why, too', async () => {
  await writeFile(join(home, 'bin', 'claude'), '#!/bin/sh\nexec <&-\necho "no such model" >&2\nexit 4\n')
  const talk = await Talk.begin(window, {}, 'not-json')
  await says(talk, 'error: Claude has ended with the error code 4')
  expect(talk.state?.process).toMatchObject({ end: { complaints: 'no such model' } })
  expect(talk.said.join()).not.toContain('does not read')
})

test('a restart withdraws what is still asked: an answer would reach nobody', async () => {
  const talk = await Talk.begin(window, {}, 'twice')
  const { approvals } = window.parts
  await vi.waitFor(() => expect(approvals.list()).toHaveLength(1))
  await talk.page.call('conversation.restart', { id: talk.id })
  expect(approvals.list()).toMatchObject([{ state: { kind: 'withdrawn', reason: 'connection-lost' } }])
  expect(window.connections.list()).toHaveLength(1)
})

test('of two restarts at once one program is left, and none when its tab closes meanwhile', async () => {
  const talk = await Talk.begin(window)
  const restart = () => talk.page.call('conversation.restart', { id: talk.id })
  await Promise.all([restart(), restart()])
  await vi.waitFor(() => expect(runningClaudes(home)).toHaveLength(1))
  const last = restart()
  const tab = window.tabs.state.tabs.find((one) => one.kind === 'other')
  window.tabs.close(tab?.id ?? '')
  await last
  await vi.waitFor(() => expect(runningClaudes(home)).toEqual([]))
})

test('what it was begun with waits while its program can’t be started, and is said after a restart', async () => {
  const path = join(home, 'bin', 'claude')
  const works = await readFile(path, 'utf8')
  await writeFile(path, '#!/bin/sh\nread line\nexit 4\n')
  const talk = await Talk.begin(window, {}, 'not-json')
  await says(talk, 'error: Claude has ended with the error code 4')
  expect(talk.state?.queue).toMatchObject([{ text: 'not-json' }])
  await writeFile(path, works)
  await talk.page.call('conversation.restart', { id: talk.id })
  await says(talk, 'after the noise')
  expect(talk.state?.queue).toEqual([])
})

test('what was chosen since holds after a restart, and in a copy', async () => {
  const talk = await Talk.begin(window, { permissionMode: 'bypassPermissions' })
  await talk.until('the controls', ({ state }) => state?.controls.length)
  const chosen = await talk.page.call('conversation.choose', {
    ...{ id: talk.id, control: 'permissionMode', value: 'plan' },
  })
  expect(chosen).toMatchObject({ ok: true })
  await talk.page.call('conversation.restart', { id: talk.id })
  await talk.send('arguments')
  expect(await says(talk, 'started with')).toContain('--permission-mode=plan')
  expect(talk.said.join()).not.toContain('--allow-dangerously-skip-permissions')
  await talk.rests()
  const [prompt] = talk.items
  const forked = await talk.page.call('conversation.fork', {
    ...{ id: talk.id, before: prompt?.id ?? '', ...message('arguments') },
  })
  if (!forked.ok) throw new Error(forked.failure.message)
  expect(await says(talk.other(forked.value.id), 'started with')).not.toContain('bypassPermissions')
})

test('an MCP configuration is in no argument, but in a file of the person’s own while it runs', async () => {
  const mcpConfig = '{"mcpServers":{"a":{"command":"a","env":{"TOKEN":"secret"}}}}'
  const talk = await Talk.begin(window, { mcpConfig }, 'arguments')
  expect(await says(talk, 'started with')).not.toContain('secret')
  await talk.rests()
  await talk.send('configuration')
  const said = await says(talk, 'configured')
  expect(said).toContain(mcpConfig)
  const path = /configured (\S+)/.exec(said)?.[1] ?? ''
  expect((await stat(path)).mode & 0o777).toBe(0o600)
  const tab = window.tabs.state.tabs.find((one) => one.kind === 'other')
  window.tabs.close(tab?.id ?? '')
  await vi.waitFor(() => expect(stat(path)).rejects.toThrow('ENOENT'))
})

test('closing its tab withdraws what is asked at once, not when the program has ended', async () => {
  await Talk.begin(window, {}, 'twice')
  const { approvals } = window.parts
  await vi.waitFor(() => expect(approvals.list()).toHaveLength(1))
  const tab = window.tabs.state.tabs.find((one) => one.kind === 'other')
  window.tabs.close(tab?.id ?? '')
  expect(approvals.list()).toMatchObject([{ state: { kind: 'withdrawn', reason: 'connection-lost' } }])
  await vi.waitFor(() => expect(runningClaudes(home)).toEqual([]))
})

test('what still waits when its tab closes is told, and comes back into the field of its session', async () => {
  const talk = await Talk.begin(window, {}, 'wait')
  await says(talk, 'waiting')
  await talk.send('later')
  await talk.until('the queue', ({ state }) => state?.queue.length === 1)
  const tab = window.tabs.state.tabs.find((one) => one.kind === 'other')
  window.tabs.close(tab?.id ?? '')
  const text = '1 message was still waiting in “wait”. To send it, open its session: the field has it.'
  await vi.waitFor(() => expect(window.notices.list()).toMatchObject([{ text }]))
  const taken = await talk.page.call('conversation.takeUnsent', {
    ...{ draft: talk.state?.session ?? '', had: [] },
  })
  expect(taken).toMatchObject({ kept: [{ messages: [{ text: 'later', pictures: [] }] }] })
})

const earlier = '0f8a3c52-6a8e-4d0b-9a56-0c7c9f1d2e33'

test.each([
  ['a new one', {}, nextConversationIn, 'begin a new conversation'],
  ['one that goes on', { resume: earlier }, () => earlier, 'open its session'],
  ['a copy', { resume: earlier, forkSession: true }, () => earlier, 'open its session'],
])(
  '%s: what it was to say and couldn’t is told, and is there where it belongs',
  async (_, values, of, where) => {
    await writeFile(join(home, 'bin', 'claude'), '#!/bin/sh\nexit 1\n')
    const talk = await Talk.begin(window, values, 'later')
    await talk.until('the queue', ({ state }) => state?.queue.length === 1)
    const tab = window.tabs.state.tabs.find((one) => one.kind === 'other')
    window.tabs.close(tab?.id ?? '')
    const text = `1 message was still waiting in “Claude in project”. To send it, ${where}: the field has it.`
    await vi.waitFor(() => expect(window.notices.list()).toMatchObject([{ text }]))
    const taken = async (draft: string) =>
      (await talk.page.call('conversation.takeUnsent', { draft, had: [] })).kept.map((one) => one.messages)
    const [next, own] = [nextConversationIn(project), of(project)]
    expect(await taken(own)).toEqual([[{ text: 'later', pictures: [] }]])
    if (own !== next) expect(await taken(next)).toEqual([])
    expect(await taken(nextConversationIn(home))).toEqual([])
  },
)

test('it is starting while what was said earlier is read; its first message isn’t lost if its tab is closed then', async () => {
  recordSession({ home, project }, earlier, new SessionWriter(0).prompt('Hello').records)
  let read = () => {}
  const reading = vi
    .spyOn(SessionFile.prototype, 'readLast')
    .mockReturnValue(new Promise((resolve) => (read = () => resolve(fileFailure('absent', 'It is gone.')))))
  const page = pageOf(window)
  const begun = page.call('conversation.begin', {
    ...{ agent: 'claude', values: { resume: earlier }, first: message('later') },
  })
  await vi.waitFor(() => expect(reading).toHaveBeenCalled())
  const [tab] = window.tabs.state.tabs
  const talk = Talk.of(window, tab?.kind === 'other' ? (sessionOfTab(tab.name) ?? '') : '')
  await talk.until('its state', ({ state }) => state?.process.phase === 'starting')
  expect(talk.state?.queue).toMatchObject([{ text: 'later' }])
  window.tabs.close(tab?.id ?? '')
  await vi.waitFor(() =>
    expect(window.notices.list()).toMatchObject([{ text: expect.stringMatching(/^1 message was still/) }]),
  )
  read()
  await begun
  expect(runningClaudes(home)).toEqual([])
})

test('a copy works in the folder of its conversation, whichever is the window’s first', async () => {
  const other = join(home, 'other')
  await mkdir(other)
  await window.parts.trust.answer(other, true)
  const [starter] = window.starters.filter(({ agent }) => agent === 'claude')
  const kept = { agent: 'claude', session: earlier, folder: other, values: {} }
  const talk = Talk.of(window, starter?.bringBack?.(kept) ?? '')
  await talk.page.call('conversation.restart', { id: talk.id })
  await talk.send('hello')
  await talk.rests()
  const forked = await talk.page.call('conversation.fork', {
    ...{ id: talk.id, before: talk.items[0]?.id ?? '', ...message('hello') },
  })
  if (!forked.ok) throw new Error(forked.failure.message)
  const copy = talk.other(forked.value.id)
  expect(await copy.until('its folder', ({ state }) => state?.folder)).toBe(other)
})

test('it comes back after Greenlight has ended, with what was said, and goes on as it was once it is restarted', async () => {
  const record = new SessionWriter(Date.UTC(2026, 0, 1))
    .prompt('Why is the lamp flickering?')
    .reply('m-1', text('A loose contact.'), tool('t-1', 'Bash', { command: 'sleep 100' }))
  recordSession({ home, project }, sessionOf, record.records)
  const path = join(project, 'a.txt')
  await writeFile(path, 'a\n')
  const values = { permissionMode: 'acceptEdits', effort: 'high' }
  const talk = await Talk.begin(window, values, 'wait')
  await says(talk, 'waiting')
  await talk.page.call('conversation.choose', { id: talk.id, control: 'permissionMode', value: 'plan' })
  await talk.send('later')
  await talk.page.call('tabs.openFile', { path, preview: false })

  await app.shutdown()
  await start()
  expect(window.tabs.state.tabs).toMatchObject([{ kind: 'other' }, { kind: 'file' }])
  expect(window.tabs.active).toMatchObject({ kind: 'file' })
  const [tab] = window.tabs.state.tabs
  const back = Talk.of(window, tab?.kind === 'other' ? (sessionOfTab(tab.name) ?? '') : '')
  await says(back, 'A loose contact.')
  expect(back.calls).toMatchObject([{ state: 'stopped' }])
  expect(back.state).toMatchObject({
    ...{ title: 'Why is the lamp flickering?', session: sessionOf, activity: 'idle', queue: [] },
    process: { end: { message: 'Claude ended when Greenlight did. Restart it to go on.' } },
  })
  expect(runningClaudes(home)).toEqual([])
  const taken = await back.page.call('conversation.takeUnsent', { draft: sessionOf, had: [] })
  expect(taken.kept.flatMap(({ messages }) => messages)).toMatchObject([{ text: 'later' }])

  expect(await back.page.call('conversation.restart', { id: back.id })).toMatchObject({ ok: true })
  await back.send('arguments')
  const started = await says(back, 'started with')
  for (const option of [`--resume=${sessionOf}`, '--permission-mode=plan', '--effort=high'])
    expect(started).toContain(option)
  await back.rests()
  window.tabs.close(tab?.id ?? '')
  await vi.waitFor(() => expect(runningClaudes(home)).toEqual([]))
  expect(window.tabs.store().tabs).toMatchObject([{ path }])
})

test('one that asked nothing asks again when it comes back, and none is restarted in a folder that isn’t trusted any more', async () => {
  const talk = await Talk.begin(window, { permissionMode: 'bypassPermissions' }, 'hello')
  await talk.rests()
  await app.shutdown()
  await start()
  const [tab] = window.tabs.state.tabs
  const back = Talk.of(window, tab?.kind === 'other' ? (sessionOfTab(tab.name) ?? '') : '')
  await window.parts.trust.answer(project, false)
  const restart = () => back.page.call('conversation.restart', { id: back.id })
  expect(await restart()).toMatchObject({ ok: false, failure: { code: 'untrusted' } })
  await window.parts.trust.answer(project, true)
  expect(await restart()).toMatchObject({ ok: true })
  await back.send('arguments')
  expect(await says(back, 'started with')).not.toContain('ypass')
})

test('none is restarted whose session runs elsewhere meanwhile', async () => {
  const talk = await Talk.begin(window, {}, 'die 3')
  await says(talk, 'error: Claude has ended with the error code 3')
  const notes = join(home, '.claude', 'sessions')
  const note = join(notes, `${process.pid}.json`)
  await mkdir(notes, { recursive: true })
  await writeFile(note, JSON.stringify({ pid: process.pid, sessionId: sessionOf }))
  await vi.waitFor(() => expect(window.parts.history.noted.of(sessionOf)).not.toBeNull())
  const restart = () => talk.page.call('conversation.restart', { id: talk.id })
  expect(await restart()).toMatchObject({ ok: false, failure: { code: 'runs-elsewhere' } })
  expect(runningClaudes(home)).toEqual([])
  await rm(note)
  await vi.waitFor(() => expect(window.parts.history.noted.of(sessionOf)).toBeNull())
  expect(await restart()).toMatchObject({ ok: true })
})

test('closing its tab ends the program', async () => {
  const talk = await Talk.begin(window, {}, 'not-json')
  await talk.rests()
  const [{ pid } = { pid: 0 }] = window.connections.list()
  const tab = window.tabs.state.tabs.find((one) => one.kind === 'other')
  window.tabs.close(tab?.id ?? '')
  await vi.waitFor(() => expect(() => process.kill(pid ?? 0, 0)).toThrow('ESRCH'))
  await vi.waitFor(() => expect(window.connections.list()).toEqual([]))
})

test('what was filled in is there the next time, but not that nothing is asked', async () => {
  const talk = await Talk.begin(window, {
    permissionMode: 'bypassPermissions',
    effort: 'high',
    folders: 'a\nb',
  })
  const { offers } = await talk.page.call('conversation.offers', {})
  expect(offers.find(({ agent }) => agent === 'claude')?.values).toMatchObject({
    permissionMode: 'default',
    effort: 'high',
    folders: 'a\nb',
  })
})

test('one that another program begins comes behind what is shown, and isn’t remembered', async () => {
  const talk = await Talk.begin(window, { effort: 'high' })
  const { active } = window.tabs.state
  const [starter] = window.starters.filter(({ agent }) => agent === 'claude')
  const begun = await starter?.begin({ model: 'default', effort: 'default' }, null, 'program')
  expect(begun).toMatchObject({ ok: true })
  expect(window.tabs.state).toMatchObject({ active, tabs: [{ kind: 'other' }, { kind: 'other' }] })
  const { offers } = await talk.page.call('conversation.offers', {})
  expect(offers.find(({ agent }) => agent === 'claude')?.values).toMatchObject({ effort: 'high' })
})

test('nothing is begun in a folder that is not trusted', async () => {
  await window.parts.trust.answer(project, false)
  await expect(Talk.begin(window)).rejects.toThrow('isn’t trusted')
})

test('a folder beside its own is worked in only if it is trusted, too: its slash commands could run programs', async () => {
  const other = join(home, 'other')
  await mkdir(other)
  for (const folders of [other, '../other', '~/other', 'a\n  ../other'])
    await expect(Talk.begin(window, { folders })).rejects.toThrow(`${other} isn’t trusted`)
  await window.parts.trust.answer(other, true)
  const talk = await Talk.begin(window, { folders: 'a\n~/other' }, 'arguments')
  const started = await says(talk, 'started with')
  expect(started).toContain(`--add-dir=${join(project, 'a')} --add-dir=${other}`)
  await talk.rests()
  await window.parts.trust.answer(other, false)
  const again = await talk.page.call('conversation.restart', { id: talk.id })
  expect(again).toMatchObject({ ok: false, failure: { code: 'untrusted' } })
  const end = await talk.until('why', ({ state }) => state?.process.phase === 'ended' && state.process.end)
  expect(end).toMatchObject({
    code: 'not-started',
    message: expect.stringContaining('isn’t trusted') as string,
  })
})

const sessionOf = '11111111-2222-4333-8444-555555555555'

test('a rule for files lets a change of a conversation through, which is on record and can be put back; another refuses', async () => {
  const talk = await Talk.begin(window)
  await talk.page.call('settings.set', {
    reviewPathRules: [
      { pattern: 'docs/**', answer: 'write' },
      { pattern: 'migrations/**', answer: 'never' },
    ],
  })
  const { desk } = window.parts
  const [doc, migration] = [join(project, 'docs', 'a.md'), join(project, 'migrations', '1.sql')]
  await mkdir(join(project, 'docs'))
  await writeFile(doc, 'before\n')
  await talk.send(`write ${doc} after`)
  await says(talk, 'wrote after')
  await talk.rests()
  expect(desk.summaries()).toEqual([])
  const [entry] = desk.decided()
  expect(entry).toMatchObject({ path: doc, how: 'let-through', rule: 'docs/**', canUndo: true })
  const lines = []
  for await (const { line } of desk.writes.lines({ texts: false })) lines.push(JSON.parse(line))
  expect(lines).toMatchObject([
    {
      ...{ dialect: 'claude-sdk', agent: 'Claude', session: sessionOf, turn: 'prompt-1' },
      ...{ how: 'let-through', by: { kind: 'rule', pattern: 'docs/**' } },
      written: { sha256: hashContent('after\n') },
    },
  ])
  expect(await desk.undo(entry?.id ?? '')).toMatchObject({ ok: true })
  expect(await readFile(doc, 'utf8')).toBe('before\n')

  await talk.send(`write ${migration} x`)
  await says(talk, 'doesn’t let agents change this file')
  await expect(stat(migration)).rejects.toThrow('ENOENT')
  expect(desk.decided()).toEqual([])
})

test('what the mode of a conversation lets through is a review afterwards, or, where nobody looks at these, on record', async () => {
  const path = join(project, 'a.txt')
  await writeFile(path, 'before\n')
  const talk = await Talk.begin(window, { permissionMode: 'acceptEdits' })
  await talk.page.call('settings.set', { reviewWhich: 'mode', reviewUnasked: false })
  const { desk } = window.parts
  await talk.send(`write ${path} after`)
  await says(talk, 'wrote after')
  await talk.rests()
  expect(await desk.writes.list()).toMatchObject([
    { path, how: 'unasked', mode: 'acceptEdits', session: sessionOf, written: 'as-proposed' },
  ])
  await talk.page.call('settings.set', { reviewUnasked: true })
  await talk.send(`write ${path} again`)
  await says(talk, 'wrote again')
  await vi.waitFor(() => expect(desk.summaries()).toMatchObject([{ path, effect: 'written' }]))
  expect(await desk.writes.list()).toHaveLength(1)
})
