import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { Peer } from '../../../../test/claude-ide-peer'
import { putOnPath } from '../../../../test/program-on-path'
import { afterTool, beforeTool, decisionIn, type HookCalled, HookPeer } from '../../../../test/hook-peer'
import { untilApproval } from '../../../../test/plain-approvals'
import { openWindowOn, pageOf, readyOf, startPlainApp } from '../../../../test/plain-app'
import type { GateNow } from '../../../shared/contract/gate'
import type { App } from '../app'
import { claudeIde } from '../claude-ide/claude-ide'
import type { WindowHost } from '../window-host'
import { claudeHooks } from './claude-hooks'

/** For what a file's watcher has to see: each look is a while after the one before. */
const waiting = { timeout: 10_000, interval: 200 }

/** How much is asked, and whether it really is, as the page is told. */
let home: string
let project: string
let app: App
let window: WindowHost

beforeEach(async () => {
  home = realpathSync(mkdtempSync(join(tmpdir(), 'gate-of-window-')))
  project = join(home, 'project')
  mkdirSync(project)
  app = await startPlainApp(home, { dialects: [claudeIde, claudeHooks] })
  window = await openWindowOn(app, project)
})
afterEach(async () => {
  await app.shutdown()
  rmSync(home, { recursive: true, force: true, maxRetries: 5 })
})

const session = '0b3f3c0e-0000-4000-8000-000000000001'
const at = (name: string) => join(project, name)
const prompt = (id = session) => ({
  ...{ hook_event_name: 'UserPromptSubmit', session_id: id },
  ...{ cwd: project, prompt: 'Go on.' },
})
const connection = () => window.connections.list()[0]

/** The record of writes as it is exported. */
async function recorded(): Promise<unknown[]> {
  const lines = []
  for await (const { line } of window.parts.desk.writes.lines({ texts: false })) lines.push(JSON.parse(line))
  return lines as unknown[]
}

const variables = (terminal = 't1'): Record<string, string | undefined> =>
  window.dialects.find(({ facts }) => facts.id === 'claude-hooks')?.open.variables(terminal) ?? {}

function peerOf(terminal = 't1'): HookPeer {
  const token = variables(terminal)['GREENLIGHT_HOOK_TOKEN'] ?? ''
  const { port } = (window.readiness() as { hooks?: { port: number } }).hooks ?? { port: 0 }
  return new HookPeer(`http://127.0.0.1:${port}/hook`, { terminal, token })
}

/** A process, this one unless said otherwise, notes that it is in the session, as a command line does. */
function note(status: string, pid = process.pid): void {
  const path = join(home, '.claude', 'sessions', `${pid}.json`)
  if (!existsSync(path)) mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, JSON.stringify({ pid, sessionId: session, status }))
}

/** Notes work on and off, as what is between two looks isn't seen, until `expected` holds. */
async function workUntil(expected: () => void, pid?: number): Promise<void> {
  let isBusy = true
  await vi.waitFor(() => {
    isBusy = !isBusy
    note(isBusy ? 'busy' : 'idle', pid)
    expected()
  }, waiting)
}

/** Connects as this process does over the IDE protocol. */
async function connect(): Promise<Peer> {
  const { port, lockFiles } = readyOf(window).claudeIde ?? { port: 0, lockFiles: [] }
  const { authToken: token } = JSON.parse(readFileSync(lockFiles[0] ?? '', 'utf8')) as { authToken: string }
  const peer = await Peer.connect({ port, token })
  peer.send({ jsonrpc: '2.0', method: 'ide_connected', params: { pid: process.pid } })
  await vi.waitFor(() => expect([...window.connections.proposing()]).toEqual([process.pid]))
  return peer
}

/** The terminal asks about a call: resolves once the same is asked here. */
async function askedInTerminal(call: Record<string, unknown>): Promise<HookCalled> {
  const asked = peerOf().send({ ...call, hook_event_name: 'PermissionRequest', tool_use_id: undefined })
  await untilApproval(window.parts.approvals)
  return asked
}

test('a gate that is no longer in force is a warning on its agent by the end of the turn, until the next hook', async () => {
  note('idle')
  const ide = await connect()
  await peerOf().ask(prompt())
  await vi.waitFor(() =>
    expect(connection()?.note).toBe('Every change is reviewed, unless a rule for files says otherwise.'),
  )
  await ide.call('closeAllDiffTabs')
  expect(connection()?.unasked).toBeNull()
  writeFileSync(join(home, '.claude', 'settings.json'), JSON.stringify({ disableAllHooks: true }))
  await ide.call('closeAllDiffTabs')
  note('busy')
  await workUntil(() =>
    expect(connection()?.unasked?.sentence).toMatch(/^Hooks are switched off in ~\/\.claude\/settings\.json/),
  )
  await peerOf().ask(prompt())
  await vi.waitFor(() => expect(connection()?.unasked).toBeNull())
  ide.dispose()
})

test('one that is connected to nothing is a warning as soon as settings switch its hooks off, unless those are overruled', async () => {
  const page = pageOf(window)
  const changed = { ...prompt(), hook_event_name: 'ConfigChange' }
  const isReviewed = 'Every change is reviewed, unless a rule for files says otherwise.'
  await peerOf().ask(prompt())
  expect(connection()?.note).toBe(isReviewed)
  mkdirSync(at('.claude'))
  writeFileSync(at('.claude/settings.local.json'), JSON.stringify({ disableAllHooks: true }))
  await peerOf().ask(changed)
  await vi.waitFor(() =>
    expect(connection()).toMatchObject({
      unasked: {
        sentence: expect.stringMatching(/^Hooks are switched off in .*settings\.local\.json/) as string,
        certain: true,
      },
      note: null,
    }),
  )
  await page.call('settings.set', { claudeHooksDespiteOff: 'on' })
  await peerOf().ask(changed)
  await vi.waitFor(() => expect(connection()).toMatchObject({ unasked: null, note: isReviewed }))
  await page.call('settings.set', { claudeHooksDespiteOff: 'off' })
  // It has gone into a subfolder, which has no settings of its own.
  await peerOf().ask({ ...changed, cwd: at('sub') })
  await vi.waitFor(() => expect(connection()?.unasked).toMatchObject({ certain: true }))
})

test('one in a terminal that neither calls hooks nor is connected is a warning by the end of its turn', async () => {
  expect(await window.terminals.create({ profile: 'shell', columns: 80, rows: 24 })).toMatchObject({
    ok: true,
  })
  const [terminal] = window.terminals.snapshot()
  const { id = '', pid = null } = terminal ?? {}
  if (pid === null) throw new Error('no terminal')
  await workUntil(() => expect(connection()?.unasked?.sentence).toMatch(/aren’t called by this Claude/), pid)
  expect(window.connections.list()).toMatchObject([{ terminal: id, pid, agent: 'Claude' }])
  const gate = await new Promise<GateNow>((resolve) => {
    pageOf(window).subscribe('gate', {}, { snapshot: resolve, delta: () => undefined })
  })
  expect(gate.agents).toMatchObject([{ terminal: id, state: 'not-in-force', isExpected: true }])
  await peerOf(id).ask(prompt())
  expect(connection()).toMatchObject({
    unasked: null,
    note: 'Every change is reviewed, unless a rule for files says otherwise.',
  })
})

test('the check list offers to switch hooks on, and says what else that does', async () => {
  const page = pageOf(window)
  const found = async () => {
    const { servers } = await page.call('connections.check', {})
    return servers.flatMap(({ checks }) => checks).find(({ id }) => id.startsWith('hooks-off'))
  }
  expect(await found()).toBeUndefined()
  mkdirSync(join(home, '.claude'), { recursive: true })
  const own = { Stop: [{ hooks: [{ type: 'command', command: 'true' }] }] }
  writeFileSync(join(home, '.claude', 'settings.json'), JSON.stringify({ disableAllHooks: true, hooks: own }))
  expect(variables()['GREENLIGHT_CLAUDE_SETTINGS']).toBeUndefined()
  const check = await found()
  expect(check?.mend?.asks).toBe('This also switches on your own hooks: 1 in ~/.claude/settings.json.')
  expect(await page.call('connections.mend', { id: check?.mend?.id ?? '' })).toMatchObject({ ok: true })
  expect(await found()).toBeUndefined()
  const { GREENLIGHT_CLAUDE_SETTINGS: file } = variables()
  expect(JSON.parse(readFileSync(file ?? '', 'utf8'))).toEqual({ disableAllHooks: false })
})

test('where settings switch hooks off it is asked once what then', async () => {
  const page = pageOf(window)
  const told: unknown[] = []
  page.subscribe('gate', {}, { snapshot: (now) => told.push(now), delta: (now) => told.push(now) })
  mkdirSync(join(home, '.claude'), { recursive: true })
  const own = { Stop: [{ hooks: [{ type: 'command', command: 'true' }] }] }
  writeFileSync(join(home, '.claude', 'settings.json'), JSON.stringify({ disableAllHooks: true, hooks: own }))
  // It is looked at again with each terminal that is opened.
  variables()
  const words =
    'Hooks are switched off in ~/.claude/settings.json, so Greenlight can’t review every change of Claude Code. Switching them on also switches on your own: 1 in ~/.claude/settings.json.'
  await vi.waitFor(() => expect(told.at(-1)).toMatchObject({ question: { words } }))
  await window.serverOf('claude-hooks')?.switch(false)
  await vi.waitFor(() => expect(told.at(-1)).toMatchObject({ question: null }))
  await window.serverOf('claude-hooks')?.switch(true)
  await vi.waitFor(() => expect(told.at(-1)).toMatchObject({ question: { words } }))
  expect(await page.call('gate.answer', { words, agrees: false })).toMatchObject({ ok: true })
  await vi.waitFor(() => expect(told.at(-1)).toMatchObject({ question: null }))
  expect(variables()['GREENLIGHT_CLAUDE_SETTINGS']).toBeUndefined()
  // It can still be had.
  const { servers } = await page.call('connections.check', {})
  expect(servers.flatMap(({ checks }) => checks).find(({ id }) => id.startsWith('hooks-off'))).toMatchObject({
    state: 'unsure',
    mend: { label: 'Switch them on in Greenlight' },
  })
})

test('an answer counts for the question that was seen, and for no other that has taken its place', async () => {
  const page = pageOf(window)
  const asked: string[] = []
  const hear = ({ question }: { question: { words: string } | null }) => {
    if (question) asked.push(question.words)
  }
  page.subscribe('gate', {}, { snapshot: hear, delta: hear })
  mkdirSync(join(home, '.claude'), { recursive: true })
  const settle = (settings: object) =>
    writeFileSync(join(home, '.claude', 'settings.json'), JSON.stringify(settings))
  settle({ disableAllHooks: true })
  variables()
  await vi.waitFor(() => expect(asked).toHaveLength(1))
  settle({ disableAllHooks: true, hooks: { Stop: [{ hooks: [{ type: 'command', command: 'true' }] }] } })
  variables()
  await vi.waitFor(() => expect(asked.at(-1)).toContain('also switches on your own'))
  const [first = '', second = ''] = asked
  expect(await page.call('gate.answer', { words: first, agrees: true })).toMatchObject({
    failure: { code: 'gone' },
  })
  expect(variables()['GREENLIGHT_CLAUDE_SETTINGS']).toBeUndefined()
  expect(await page.call('gate.answer', { words: second, agrees: true })).toMatchObject({ ok: true })
  expect(variables()['GREENLIGHT_CLAUDE_SETTINGS']).toBeDefined()
})

test('what is asked is the word for the terminal, or the setting', async () => {
  const page = pageOf(window)
  const decision = async (call: string) =>
    decisionIn(
      await peerOf().ask(
        beforeTool('Write', { file_path: at('a'), content: 'x' }, { tool_use_id: call, session_id: 's' }),
      ),
    )['permissionDecision']
  await page.call('gate.setMode', { terminal: 't1', mode: 'mode' })
  expect(await decision('1')).toBeUndefined()
  await page.call('gate.setMode', { terminal: 't1', mode: null })
  await page.call('settings.set', { reviewWhich: 'mode' })
  expect(await decision('2')).toBeUndefined()
  await page.call('settings.set', { reviewPathRules: [{ pattern: 'a', answer: 'never' }] })
  expect(await decision('3')).toBe('deny')
})

test('the word for a terminal stays there when its agent ends and another begins, and holds nowhere else', async () => {
  const page = pageOf(window)
  const modes: [string | null, string][][] = []
  const hear = ({ agents }: { agents: { terminal: string | null; mode: string }[] }) =>
    void modes.push(agents.map(({ terminal, mode }) => [terminal, mode]))
  page.subscribe('gate', {}, { snapshot: hear, delta: hear })
  await peerOf().ask(prompt('s1'))
  await page.call('gate.setMode', { terminal: 't1', mode: 'mode' })
  await vi.waitFor(() => expect(modes.at(-1)).toEqual([['t1', 'mode']]))
  await peerOf().ask({ ...prompt('s1'), hook_event_name: 'SessionEnd', reason: 'other' })
  await vi.waitFor(() => expect(modes.at(-1)).toEqual([]))
  await peerOf().ask(prompt('s2'))
  await peerOf('t2').ask(prompt('s3'))
  await vi.waitFor(() =>
    expect(modes.at(-1)).toEqual([
      ['t1', 'mode'],
      ['t2', 'every'],
    ]),
  )
})

test('the page is told how it is, of each agent', async () => {
  const page = pageOf(window)
  const told: unknown[] = []
  page.subscribe('gate', {}, { snapshot: (now) => told.push(now), delta: (now) => told.push(now) })
  await vi.waitFor(() => expect(told.at(-1)).toEqual({ isOffered: true, agents: [], question: null }))
  await peerOf().ask(prompt())
  await vi.waitFor(() =>
    expect(told.at(-1)).toMatchObject({
      agents: [{ terminal: 't1', mode: 'every', isOwn: false, state: 'in-force', isExpected: true }],
    }),
  )
  await page.call('gate.setMode', { terminal: 't1', mode: 'mode' })
  await vi.waitFor(() => expect(told.at(-1)).toMatchObject({ agents: [{ mode: 'mode', isOwn: true }] }))
  await window.serverOf('claude-hooks')?.switch(false)
  await vi.waitFor(() => expect(told.at(-1)).toMatchObject({ isOffered: false }))
})

test('what a rule lets through has a receipt, and can be put back', async () => {
  const page = pageOf(window)
  await page.call('settings.set', { reviewPathRules: [{ pattern: 'docs/**', answer: 'write' }] })
  mkdirSync(at('docs'))
  writeFileSync(at('docs/a'), 'before\r\n')
  const call = beforeTool('Write', { file_path: at('docs/a'), content: 'after' })
  expect(decisionIn(await peerOf().ask(call))['permissionDecision']).toBe('allow')
  writeFileSync(at('docs/a'), 'after')
  await peerOf().ask(afterTool(call))
  const [receipt] = window.parts.desk.decided()
  expect(receipt).toMatchObject({ path: at('docs/a'), how: 'let-through', rule: 'docs/**', canUndo: true })
  expect(await page.call('review.undo', { id: receipt?.id ?? '' })).toMatchObject({ ok: true })
  expect(readFileSync(at('docs/a'), 'utf8')).toBe('before\r\n')
})

test('what is asked about over the IDE link is on record with the session and the turn that the hooks name', async () => {
  note('busy')
  const ide = await connect()
  writeFileSync(at('a'), 'before')
  const call = beforeTool('Write', { file_path: at('a'), content: 'after' })
  expect(decisionIn(await peerOf().ask(call))['permissionDecision']).toBe('ask')
  const asked = ide.diff(at('a'), 'after')
  const { desk } = window.parts
  await vi.waitFor(() => expect(desk.summaries()).toMatchObject([{ phase: 'open' }]))
  const [{ id, revision } = { id: '', revision: 0 }] = desk.summaries()
  desk.reject(id, revision)
  await asked
  await vi.waitFor(() => expect(desk.decided()).toHaveLength(1))
  expect(await recorded()).toMatchObject([
    { how: 'rejected', by: { kind: 'person' }, session, turn: 'p1', dialect: 'claude-ide', written: null },
  ])
  ide.dispose()
})

test('what the mode lets through is on record where nobody looks at it, and what the terminal had asked about too', async () => {
  const page = pageOf(window)
  await page.call('settings.set', { reviewWhich: 'mode', reviewUnasked: false })
  const written = async (name: string, isAsked: boolean) => {
    const call = beforeTool('Write', { file_path: at(name), content: name }, { tool_use_id: name })
    expect(decisionIn(await peerOf().ask(call))).toEqual({})
    const asked = isAsked ? await askedInTerminal(call) : null
    writeFileSync(at(name), name)
    await peerOf().ask(afterTool(call))
    // Its card goes once the tool has run, whoever has allowed it.
    await asked?.answer
  }
  await written('a', false)
  await page.call('settings.set', { reviewUnasked: true })
  await written('b', true)
  expect(window.parts.desk.decided()).toEqual([])
  expect(await recorded()).toMatchObject([
    { path: at('b'), how: 'answered-there', by: { kind: 'person' }, session, turn: 'p1' },
    {
      ...{ path: at('a'), how: 'unasked', by: { kind: 'mode', mode: 'acceptEdits' } },
      ...{ dialect: 'claude-hooks', session, turn: 'p1' },
    },
  ])
})

test('what only its terminal asks about in plan mode is on record as agreed to', async () => {
  const input = { file_path: at('a'), content: 'after' }
  const call = beforeTool('Write', input, { permission_mode: 'plan' })
  expect(decisionIn(await peerOf().ask(call))['permissionDecision']).toBe('ask')
  const { answer } = await askedInTerminal(call)
  const [card] = window.parts.approvals.list()
  await window.parts.approvals.answer(card?.id ?? '', { option: 'allow', values: {}, reason: '' })
  expect((await answer).body).toEqual({
    hookSpecificOutput: {
      hookEventName: 'PermissionRequest',
      decision: { behavior: 'allow', updatedInput: input },
    },
  })
  writeFileSync(at('a'), 'after')
  await peerOf().ask(afterTool(call))
  expect(window.parts.desk.summaries()).toEqual([])
  expect(await recorded()).toMatchObject([
    { path: at('a'), how: 'answered-there', by: { kind: 'person' }, session, turn: 'p1' },
  ])
})

test('the check list names a version that may be too old', async () => {
  const page = pageOf(window)
  const words = async () => {
    const { servers } = await page.call('connections.check', {})
    return servers.flatMap(({ checks }) => checks).find(({ id }) => id.startsWith('hooks-old'))?.words
  }
  expect(await words()).toBeUndefined()
  await app.shutdown()
  const folder = join(home, 'bin')
  writeFileSync(join(home, 'old.mjs'), "console.log('2.1.39 (Claude Code)')")
  putOnPath(folder, 'claude', join(home, 'old.mjs'))
  app = await startPlainApp(home, {
    dialects: [claudeIde, claudeHooks],
    env: { PATH: `${folder}:${process.env['PATH']}`, HOME: home, SHELL: '/bin/sh' },
  })
  window = await openWindowOn(app, project)
  const { servers } = await pageOf(window).call('connections.check', {})
  expect(servers.flatMap(({ checks }) => checks.map(({ words: said }) => said))).toContain(
    'Claude Code 2.1.39 may be too old for Greenlight’s hooks. Update it: claude update.',
  )
})

test('bytes that are no text can’t be put back, so no rule lets a change of them through', async () => {
  await pageOf(window).call('settings.set', { reviewPathRules: [{ pattern: '*.bin', answer: 'write' }] })
  writeFileSync(at('some.bin'), Buffer.of(0, 1, 2))
  writeFileSync(at('text.bin'), 'text')
  const write = (name: string) =>
    beforeTool('Write', { file_path: at(name), content: 'other' }, { tool_use_id: name })
  expect(decisionIn(await peerOf().ask(write('text.bin')))).toMatchObject({ permissionDecision: 'allow' })
  const asked = peerOf().send(write('some.bin'))
  const { id } = await untilApproval(window.parts.approvals)
  await window.parts.approvals.answer(id, { option: 'deny', values: {}, reason: '' })
  expect(decisionIn(await asked.answer)).toMatchObject({ permissionDecision: 'deny' })
})

test('a file too large to be kept: no rule lets it through; what a mode writes is looked at or on record', async () => {
  const page = pageOf(window)
  await page.call('settings.set', { reviewPathRules: [{ pattern: 'large', answer: 'write' }] })
  writeFileSync(at('large'), '1'.repeat(9_000_000))
  const call = (id: string) =>
    beforeTool('Write', { file_path: at('large'), content: 'short' }, { tool_use_id: id })
  const { desk } = window.parts
  const asked = peerOf().send(call('asked'))
  const [{ id, revision } = { id: '', revision: 0 }] = await vi.waitFor(() => {
    expect(desk.summaries()).toMatchObject([{ phase: 'open' }])
    return desk.summaries()
  })
  desk.reject(id, revision)
  expect(decisionIn(await asked.answer)['permissionDecision']).toBe('deny')

  await page.call('settings.set', { reviewPathRules: [], reviewWhich: 'mode', reviewUnasked: false })
  const written = async (name: string, letter: string) => {
    expect(decisionIn(await peerOf().ask(call(name)))).toEqual({})
    writeFileSync(at('large'), letter.repeat(9_000_001))
    await peerOf().ask(afterTool(call(name)))
  }
  await written('recorded', '2')
  expect(await recorded()).toMatchObject([
    {
      ...{ how: 'unasked', by: { kind: 'mode', mode: 'acceptEdits' }, session, turn: 'p1' },
      ...{ before: { bytes: 9_000_000 }, written: { bytes: 9_000_001 } },
    },
    { how: 'rejected' },
  ])
  await page.call('settings.set', { reviewUnasked: true })
  await written('looked-at', '3')
  expect(desk.summaries()).toMatchObject([{ path: at('large'), effect: 'written', isBeforeUnknown: true }])
})
