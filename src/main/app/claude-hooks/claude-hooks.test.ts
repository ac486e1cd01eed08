import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { Peer } from '../../../../test/claude-ide-peer'
import { afterTool, beforeTool, decisionIn, HookPeer } from '../../../../test/hook-peer'
import { openWindowOn, pageOf, readyOf, startPlainApp } from '../../../../test/plain-app'
import type { Settings } from '../../../shared/settings/all-settings'
import { createMemorySettingsStore } from '../../../../test/memory-settings'
import type { App } from '../app'
import { claudeIde } from '../claude-ide/claude-ide'
import type { WindowHost } from '../window-host'
import { claudeHooks } from './claude-hooks'
import { startRelay } from './hook-relay'

let home: string
let project: string
let app: App
let window: WindowHost

const begin = async (env: Record<string, string> = {}, settings: Partial<Settings> = {}) => {
  app = await startPlainApp(home, {
    settingsStore: createMemorySettingsStore(settings),
    dialects: [claudeIde, claudeHooks],
    env: { PATH: process.env['PATH'], HOME: home, SHELL: '/bin/sh', ...env },
  })
  window = await openWindowOn(app, project)
}
beforeEach(async () => {
  home = realpathSync(mkdtempSync(join(tmpdir(), 'claude-hooks-')))
  project = join(home, 'project')
  mkdirSync(project)
  await begin()
})
afterEach(async () => {
  await app.shutdown()
  rmSync(home, { recursive: true, force: true, maxRetries: 5 })
})

const ready = () => (window.readiness() as { hooks?: { port: number; plugin: string } }).hooks
const variables = (terminal = 't1') => {
  const open = window.dialects.find(({ facts }) => facts.id === 'claude-hooks')?.open
  return open?.variables(terminal) ?? {}
}
function peerOf(terminal = 't1'): HookPeer {
  const token = variables(terminal)['GREENLIGHT_HOOK_TOKEN'] ?? ''
  return new HookPeer(`http://127.0.0.1:${ready()?.port}/hook`, { terminal, token })
}
const at = (name: string) => join(project, name)
const write = (name: string, content: string) => beforeTool('Write', { file_path: at(name), content })
const session = '0b3f3c0e-0000-4000-8000-000000000001'
const desk = () => window.parts.desk
const asked = () =>
  vi.waitFor(() => {
    const review = desk()
      .summaries()
      .find(({ phase }) => phase === 'open')
    if (!review) throw new Error('nothing is asked')
    return review
  })

/** Notes that this process is in the session, as a command line does. */
function note(): void {
  const path = join(home, '.claude', 'sessions', `${process.pid}.json`)
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, JSON.stringify({ pid: process.pid, sessionId: session }))
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

describe('a session', () => {
  test('with a connection of its own process is asked over that, and shown once', async () => {
    note()
    const ide = await connect()
    expect(decisionIn(await peerOf().ask(write('a', 'x')))['permissionDecision']).toBe('ask')
    expect(window.connections.list()).toHaveLength(1)
    ide.dispose()
    await vi.waitFor(() => expect(window.connections.list()).toEqual([]))
    // The link is down: now it is reviewed here.
    const called = peerOf().send({ ...write('a', 'x'), tool_use_id: 'toolu_2' })
    const { id, revision } = await asked()
    desk().reject(id, revision)
    expect(decisionIn(await called.answer)['permissionDecision']).toBe('deny')
  })

  test('is reviewed here although it is connected while it is set to show changes in its terminal', async () => {
    note()
    const ide = await connect()
    writeFileSync(join(home, '.claude.json'), '{"diffTool": "terminal"}')
    const called = peerOf().send(write('a', 'x'))
    const { id, revision } = await asked()
    desk().reject(id, revision)
    expect(decisionIn(await called.answer)['permissionDecision']).toBe('deny')
    writeFileSync(join(home, '.claude.json'), '{"diffTool": "auto"}')
    const next = { ...write('a', 'x'), tool_use_id: 'toolu_2' }
    expect(decisionIn(await peerOf().ask(next))['permissionDecision']).toBe('ask')
    ide.dispose()
  })

  test('hears over its hooks what is said with a rejection, and its connection’s question stays open for it', async () => {
    writeFileSync(at('a'), 'one\n')
    note()
    const ide = await connect()
    const change = write('a', 'two\n')
    expect(decisionIn(await peerOf().ask(change))['permissionDecision']).toBe('ask')
    const { tool_use_id: _, ...asking } = change
    const permission = peerOf().send({ ...asking, hook_event_name: 'PermissionRequest' })
    const diff = ide.diff(at('a'), 'two\n', 'tab')
    const { id, revision } = await asked()
    // A sub-agent in the background opens its own review only after this answer.
    const sub = { ...asking, hook_event_name: 'PermissionRequest', agent_id: 'a1' }
    expect((await peerOf().ask(sub)).body).toEqual({})
    desk().reject(id, revision, 'Three, please.')
    expect((await permission.answer).body).toEqual({
      hookSpecificOutput: {
        hookEventName: 'PermissionRequest',
        decision: { behavior: 'deny', message: expect.stringContaining('Three, please.') as string },
      },
    })
    expect(ide.frames.some(({ result }) => JSON.stringify(result ?? '').includes('DIFF_REJECTED'))).toBe(
      false,
    )
    await ide.call('close_tab', { tab_name: 'tab' })
    expect(await diff).toEqual(['DIFF_REJECTED'])
    ide.dispose()
  })

  test('without one is shown as one, and its change is reviewed on its own request', async () => {
    writeFileSync(at('a'), 'one\n')
    const called = peerOf().send(write('a', 'two\n'), {
      headers: { 'x-greenlight-parent': `${process.ppid}` },
    })
    const { id, revision } = await asked()
    expect(window.connections.list()).toMatchObject([
      { dialect: 'claude-hooks', agent: 'Claude', pid: process.ppid, protocol: 'Hooks' },
    ])
    desk().accept(id, revision)
    const answer = decisionIn(await called.answer)
    expect(answer).toMatchObject({ permissionDecision: 'allow', updatedInput: { content: 'two\n' } })
    expect(readFileSync(at('a'), 'utf8')).toBe('one\n')
    writeFileSync(at('a'), 'two\n')
    await vi.waitFor(() => expect(desk().summaries()).toEqual([]))
    await peerOf().ask(afterTool(write('a', 'two\n')))
    await peerOf().ask({ ...write('a', 'x'), hook_event_name: 'SessionEnd', reason: 'other' })
    expect(window.connections.list()).toEqual([])
  })
})

test('two sub-agents that change one file are asked about one after the other', async () => {
  writeFileSync(at('a'), 'one\ntwo\n')
  const of = (agent_id: string, content: string) =>
    peerOf().send({ ...write('a', content), tool_use_id: agent_id, agent_id })
  const first = of('a1', 'ONE\ntwo\n')
  const { id, revision } = await asked()
  const second = of('a2', 'one\nTWO\n')
  await vi.waitFor(() =>
    expect(desk().summaries()).toMatchObject([{ id, phase: 'open' }, { phase: 'queued' }]),
  )
  desk().reject(id, revision)
  expect(decisionIn(await first.answer)?.['permissionDecisionReason']).toContain('rejected')
  const next = await asked()
  desk().reject(next.id, next.revision)
  expect(decisionIn(await second.answer)).toMatchObject({ permissionDecision: 'deny' })
})

test('a write that a rule lets through is answered for before its receipt is on disk', async () => {
  await app.shutdown()
  await begin({}, { reviewPathRules: [{ pattern: 'a', answer: 'write' }] })
  const kept = vi.spyOn(desk(), 'receive').mockReturnValue(new Promise(() => undefined))
  const call = write('a', 'x')
  expect(decisionIn(await peerOf().ask(call))['permissionDecision']).toBe('allow')
  writeFileSync(at('a'), 'x')
  expect((await peerOf().ask(afterTool(call))).body).toEqual({})
  expect(String(kept.mock.calls[0]?.[0].after)).toBe('x')
})

describe('the server', () => {
  test('gives each terminal its own token, and keeps the person’s own plugins', async () => {
    await app.shutdown()
    const theirs = ['/theirs', `/other/claude-hooks/12345/plugin`].join(delimiter)
    await begin({ CLAUDE_CODE_PLUGIN_DIRS: theirs })
    const { GREENLIGHT_HOOK_TOKEN: one, ...rest } = variables('t1')
    expect(one).not.toBe(variables('t2')['GREENLIGHT_HOOK_TOKEN'])
    expect(rest).toEqual({
      GREENLIGHT_TERMINAL: 't1',
      CLAUDE_CODE_PLUGIN_DIRS: [ready()?.plugin, '/theirs'].join(delimiter),
    })
  })

  test('has a setting for its switch: everywhere, or in one folder', async () => {
    const page = pageOf(window)
    const set = (claudeHooks: boolean) =>
      page.call('settings.change', { target: 'person', values: { claudeHooks }, reset: [] })
    const ofFolders = () => readFileSync(join(home, 'data', 'folder-settings.json'), 'utf8')
    const peer = peerOf()
    await set(false)
    await vi.waitFor(() => expect(ready()).toBeUndefined())
    expect(decisionIn(await peer.ask(write('a', 'x')))).toEqual({})
    const other = join(home, 'other')
    mkdirSync(other)
    const another = await openWindowOn(app, other)
    expect(another.readiness()).not.toHaveProperty('hooks')
    await window.serverOf('claude-hooks')?.switch(true)
    expect(ready()).toBeDefined()
    expect(JSON.parse(ofFolders())).toEqual({ [project]: { claudeHooks: true } })
    await set(true)
    await vi.waitFor(() => expect(another.readiness()).toHaveProperty('hooks'))
    await window.serverOf('claude-hooks')?.switch(false)
    await window.serverOf('claude-hooks')?.switch(true)
    // What is so everywhere is no value of the folder.
    expect(ofFolders()).not.toContain(project)
    await set(false)
    await vi.waitFor(() => expect(ready()).toBeUndefined())
  })

  test('that is switched off gives nothing, asks nobody, and keeps its port for those that run', async () => {
    const peer = peerOf()
    const before = ready()
    await window.serverOf('claude-hooks')?.switch(false)
    expect([ready(), variables()['GREENLIGHT_HOOK_TOKEN']]).toEqual([undefined, undefined])
    expect(decisionIn(await peer.ask(write('a', 'x')))).toEqual({})
    await window.serverOf('claude-hooks')?.switch(true)
    expect(ready()).toEqual(before)
    const called = peer.send(write('a', 'x'))
    await asked()
    called.hangUp()
    await vi.waitFor(() => expect(desk().summaries()).toEqual([]))
    await window.serverOf('claude-hooks')?.switch(false)
    await window.close(0)
    await expect(peer.ask(write('a', 'x'))).rejects.toThrow()
  })

  test('is found again after a restart, and what waited was refused with a sentence', async () => {
    const peer = peerOf()
    const before = ready()
    const called = peer.send(write('a', 'x'))
    await asked()
    await app.shutdown()
    expect(decisionIn(await called.answer)['permissionDecisionReason']).toMatch(/^Greenlight was closed/)
    // Whoever starts meanwhile is refused, and not let through.
    expect(existsSync(join(before?.plugin ?? '', 'hooks', 'hooks.json'))).toBe(true)
    await begin()
    expect(ready()).toEqual(before)
    expect((await peer.ask({ ...write('a', 'x'), hook_event_name: 'Stop' })).status).toBe(200)
  })

  test('says so where its port was taken, and lets nobody in who knew the old secret', async () => {
    const { port } = ready() ?? { port: 0 }
    const old = { authorization: `Bearer ${variables()['GREENLIGHT_HOOK_TOKEN']}` }
    await app.shutdown()
    const stranger = createServer()
    await new Promise<void>((resolve) => stranger.listen(port, '127.0.0.1', resolve))
    try {
      await begin()
      expect(ready()?.port).not.toBe(port)
      expect(window.notices.list().map(({ text }) => text)).toContainEqual(
        expect.stringContaining(`(port ${port} is in use)`),
      )
      expect((await peerOf().ask(write('a', 'x'), { headers: old })).status).toBe(401)
    } finally {
      stranger.close()
    }
  })
})

describe('a relay', () => {
  const outside = async () => {
    const open = window.dialects.find(({ facts }) => facts.id === 'claude-hooks')?.open
    return (await open?.outside?.('outside-1', project)) ?? null
  }

  test('is answered like a terminal of the window’s, also by the app that follows', async () => {
    const start = await outside()
    if (!start?.ok) throw new Error('not offered')
    const { variables: given, address } = start.value
    const started = await startRelay(address)
    if (!started.ok) throw new Error(started.failure.message)
    const relay = started.value
    try {
      const hooks = readFileSync(join(relay.plugin, 'hooks', 'hooks.json'), 'utf8')
      const terminal = given['GREENLIGHT_TERMINAL'] ?? ''
      const token = given['GREENLIGHT_HOOK_TOKEN'] ?? ''
      const peer = new HookPeer(/http:[^"]+/.exec(hooks)?.[0] ?? '', { terminal, token })
      expect(terminal).toBe('outside-1')
      expect((await peer.ask(write('a', 'x'), { headers: { authorization: 'Bearer x' } })).status).toBe(401)
      const first = peer.send(write('a', 'x'))
      await asked()
      await app.shutdown()
      expect(decisionIn(await first.answer)['permissionDecisionReason']).toMatch(/^Greenlight was closed/)
      expect(decisionIn(await peer.ask(write('a', 'x')))['permissionDecisionReason']).toMatch(
        /^Greenlight isn’t running/,
      )
      await begin()
      const second = peer.send({ ...write('b', 'x'), tool_use_id: 'toolu_2' })
      const { id, revision } = await asked()
      desk().reject(id, revision)
      expect(decisionIn(await second.answer)['permissionDecision']).toBe('deny')
      const called = peer.send({ ...write('b', 'x'), tool_use_id: 'toolu_3' })
      await asked()
      called.hangUp()
      // The one that was refused at the end is kept for the person.
      await vi.waitFor(() => expect(desk().summaries()).toMatchObject([{ name: 'a', phase: 'orphaned' }]))
    } finally {
      relay.dispose()
    }
  })

  test('is not offered while the server is off', async () => {
    await window.serverOf('claude-hooks')?.switch(false)
    expect(await outside()).toBeNull()
  })

  test('is not offered where settings switch hooks off, and says what to do', async () => {
    mkdirSync(at('.claude'))
    writeFileSync(at('.claude/settings.json'), JSON.stringify({ disableAllHooks: true }))
    expect(await outside()).toMatchObject({
      failure: {
        message:
          'Hooks are switched off in ~/project/.claude/settings.json, so nothing could be reviewed. Switch them on in Connections, then try again.',
      },
    })
    expect(await pageOf(window).call('connections.mend', { id: 'hooks-on claude-hooks' })).toMatchObject({
      ok: true,
    })
    const start = await outside()
    expect(start?.ok && start.value.variables['GREENLIGHT_CLAUDE_SETTINGS']).toContain('hooks-on.json')
  })
})
