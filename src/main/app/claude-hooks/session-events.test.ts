import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { afterTool, beforeTool, HookPeer } from '../../../../test/hook-peer'
import { logTo, openWindowOn, pageOf, startPlainApp } from '../../../../test/plain-app'
import { untilApproval } from '../../../../test/plain-approvals'
import { createMemorySettingsStore } from '../../../../test/memory-settings'
import type { App } from '../app'
import type { DialectWindow, WindowDialect } from '../dialect-kit/dialect'
import type { WindowHost } from '../window-host'
import { claudeHooks } from './claude-hooks'

let home: string
let project: string
let app: App
let window: WindowHost
let peer: HookPeer
let gate: DialectWindow['gate']
let settingsStore: ReturnType<typeof createMemorySettingsStore>
const reports: unknown[] = []

beforeEach(async () => {
  home = realpathSync(mkdtempSync(join(tmpdir(), 'session-events-')))
  project = join(home, 'project')
  mkdirSync(project)
  writeFileSync(at('mine.txt'), 'old\n')
  writeFileSync(at('theirs.txt'), 'old\n')
  reports.length = 0
  settingsStore = createMemorySettingsStore()
  const hooks: WindowDialect = {
    ...claudeHooks,
    open(given) {
      gate = given.gate
      return claudeHooks.open(given)
    },
  }
  app = await startPlainApp(home, { dialects: [hooks], log: logTo(reports), settingsStore })
  window = await openWindowOn(app, project)
  peer = peerOf()
})
afterEach(async () => {
  await app.shutdown()
  rmSync(home, { recursive: true, force: true, maxRetries: 5 })
  expect(reports).toEqual([])
})

function peerOf(terminal = 't1'): HookPeer {
  const open = window.dialects.find(({ facts }) => facts.id === 'claude-hooks')?.open
  const { port } = (open?.readiness() ?? { port: 0 }) as { port: number }
  const token = open?.variables(terminal)['GREENLIGHT_HOOK_TOKEN'] ?? ''
  return new HookPeer(`http://127.0.0.1:${port}/hook`, { terminal, token })
}
const at = (name: string) => join(project, name)
const bash = (command: string, id = 'toolu_b') =>
  beforeTool('Bash', { command }, { tool_use_id: id, cwd: project })
const told = (event: string, more: object = {}) => ({ ...bash(''), hook_event_name: event, ...more })
const question = (command: string) => {
  const { tool_use_id: _, ...asked } = bash(command)
  return { ...asked, hook_event_name: 'PermissionRequest' }
}
const inTurn = (expected: boolean) =>
  vi.waitFor(() => expect(window.changes.isInTurn).toBe(expected), { timeout: 15_000 })
const reviews = () =>
  window.parts.desk
    .summaries()
    .map(({ name, agent, title, effect, command }) => ({ name, agent, title, effect, command }))

test('what is written while a command runs is Claude’s, and named by it; while it thinks it is the person’s', async () => {
  await peer.ask(told('UserPromptSubmit', { prompt: 'go' }))
  await inTurn(true)
  // The folder is watched from here on.
  await window.changes.flush()
  await inTurn(false)
  const command = bash('sed -i s/old/new/ theirs.txt\necho done')
  await peer.ask(command)
  expect(window.changes.isInTurn).toBe(true)
  writeFileSync(at('theirs.txt'), 'new\n')
  await vi.waitFor(
    () =>
      expect(reviews()).toEqual([
        {
          ...{ name: 'theirs.txt', agent: 'Claude', effect: 'written' },
          ...{ title: 'Changed', command: 'sed -i s/old/new/ theirs.txt' },
        },
      ]),
    { timeout: 15_000 },
  )
  await peer.ask(afterTool(command))
  await vi.waitFor(() =>
    expect(window.connections.list()).toMatchObject([{ doing: 'At work · Accept edits' }]),
  )
  await inTurn(false)
  writeFileSync(at('mine.txt'), 'mine\n')
  await new Promise((resolve) => setTimeout(resolve, 1000))
  await window.changes.flush()
  expect(reviews()).toHaveLength(1)
}, 60_000)

test('what a terminal asks is answered here, and its model is told', async () => {
  pageOf(window)
  await peer.ask(bash('touch x'))
  const called = peer.send(question('touch x'))
  const { id, question: asked } = await untilApproval(window.parts.approvals)
  expect(asked).toMatchObject({
    ...{ kind: 'run', subject: 'touch x', folder: project, needsPerson: true },
    requester: { agent: 'Claude', dialect: 'claude-hooks', call: 'toolu_b' },
  })
  await window.parts.approvals.answer(id, { option: 'deny', values: {}, reason: 'Not now.' })
  expect((await called.answer).body).toMatchObject({
    hookSpecificOutput: { decision: { behavior: 'deny', message: 'Not now.' } },
  })
  settingsStore.set({ approvalsBesideTerminal: false })
  expect((await peer.ask(question('touch x'))).body).toEqual({})
})

test('where hooks are switched off only the terminal still asks', async () => {
  pageOf(window)
  const note = join(home, '.claude', 'sessions', `${process.pid}.json`)
  mkdirSync(join(note, '..'), { recursive: true })
  const sessionId = String(bash('')['session_id'])
  writeFileSync(note, JSON.stringify({ pid: process.pid, sessionId, status: 'waiting' }))
  await peer.ask(bash('touch x'))
  const called = peer.send(question('touch x'))
  const { id } = await untilApproval(window.parts.approvals)
  await vi.waitFor(() => expect(window.parts.history.noted.of(sessionId)?.status).toBe('waiting'))
  await window.serverOf('claude-hooks')?.switch(false)
  expect((await called.answer).body).toEqual({})
  expect(window.parts.approvals.find(id)?.state).toMatchObject({
    kind: 'withdrawn',
    reason: 'hooks-off',
  })
  const late = await window.parts.approvals.answer(id, { option: 'deny', values: {}, reason: null })
  expect(late.ok).toBe(false)
})

test('what was answered in the terminal is asked no more', async () => {
  const note = join(home, '.claude', 'sessions', `${process.pid}.json`)
  mkdirSync(join(note, '..'), { recursive: true })
  const sessionId = String(bash('')['session_id'])
  const noted = (status: string) =>
    writeFileSync(note, JSON.stringify({ pid: process.pid, sessionId, status }))
  const states = () => window.parts.approvals.list().map(({ state }) => state)
  noted('waiting')
  await peer.ask(bash('touch x'))
  const called = peer.send(question('touch x'))
  await untilApproval(window.parts.approvals)
  // The note is read by then.
  await vi.waitFor(() => expect(window.parts.history.noted.of(sessionId)?.status).toBe('waiting'))
  noted('busy')
  expect((await called.answer).body).toEqual({})
  expect(states()).toMatchObject([{ kind: 'withdrawn', reason: 'answered-there' }])
  const refused = peer.send(question('touch y'))
  await untilApproval(window.parts.approvals)
  refused.hangUp()
  await vi.waitFor(() =>
    expect(states()).toMatchObject([{}, { kind: 'withdrawn', reason: 'answered-there' }]),
  )
})

test('what an editing tool writes in a mode that asks nobody is reviewed, from what was there before', async () => {
  gate.set('t1', 'mode')
  const edit = beforeTool(
    'Write',
    { file_path: at('theirs.txt'), content: 'new\n' },
    { permission_mode: 'acceptEdits' },
  )
  expect((await peer.ask(edit)).body).toEqual({ hookSpecificOutput: { hookEventName: 'PreToolUse' } })
  writeFileSync(at('theirs.txt'), 'new\n')
  await peer.ask(afterTool(edit))
  await vi.waitFor(() =>
    expect(reviews()).toEqual([
      {
        name: 'theirs.txt',
        agent: 'Claude',
        title: 'Write theirs.txt',
        effect: 'written',
        command: undefined,
      },
    ]),
  )
  const [review] = window.parts.desk.summaries()
  window.parts.desk.reject(review?.id ?? '', review?.revision ?? 0)
  await vi.waitFor(() => expect(readFileSync(at('theirs.txt'), 'utf8')).toBe('old\n'))
  // Asked about in the terminal: nobody is asked again.
  const asked = beforeTool(
    'Write',
    { file_path: at('mine.txt'), content: 'new\n' },
    { tool_use_id: 'toolu_2' },
  )
  await peer.ask(asked)
  const { tool_use_id: _, ...body } = asked
  const question = peer.send({ ...body, hook_event_name: 'PermissionRequest' })
  await untilApproval(window.parts.approvals)
  writeFileSync(at('mine.txt'), 'new\n')
  await peer.ask(afterTool(asked))
  expect((await question.answer).body).toEqual({})
  await window.changes.flush()
  expect(reviews()).toEqual([])
})
