import { execFile } from 'node:child_process'
import { access, mkdtemp, readFile, realpath, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { logTo, openWindowOn, pageOf, startPlainApp, noAbilities, readyOf } from '../../../test/plain-app'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import WebSocket from 'ws'
import type { Calls, Topics } from '../../shared/contract/contract'
import type { RpcClient } from '../../shared/rpc/rpc'
import { createMemorySettingsStore } from '../../../test/memory-settings'
import type { Terminal } from '../core/terminal/terminal'
import { App } from './app'
import type { WindowHost } from './window-host'

const silent = { info() {}, warn() {}, error() {} }
const reports: unknown[] = []

let home: string
let project: string
let app: App
let window: WindowHost
let page: RpcClient<Calls, Topics>
const sockets: WebSocket[] = []

async function startApp(): Promise<void> {
  app = await startPlainApp(home, { log: logTo(reports) })
  window = await openWindowOn(app, project)
  page = pageOf(window)
}

beforeEach(async () => {
  home = await realpath(await mkdtemp(join(tmpdir(), 'greenlight-app-')))
  project = join(home, 'project')
  await promisify(execFile)('git', ['init', '-q', '-b', 'trunk', project])
  await writeFile(join(project, 'a.txt'), 'one\ntwo\nthree\n')
  reports.length = 0
  await startApp()
})

afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.terminate()
  await app.shutdown()
  await rm(home, { recursive: true, force: true, maxRetries: 5 })
  expect(reports).toEqual([])
})

/** Resolves when the topic's state, as `reduce` sees it, satisfies `want`. */
function until<N extends keyof Topics, T>(
  topic: N,
  params: Topics[N]['params'],
  want: (data: Topics[N]['snapshot'] | Topics[N]['delta']) => T | undefined | false,
): Promise<T> {
  return new Promise((resolve) => {
    const look = (data: Topics[N]['snapshot'] | Topics[N]['delta']) => {
      const found = want(data)
      if (found === undefined || found === false) return
      queueMicrotask(() => subscription.dispose())
      resolve(found)
    }
    const subscription = page.subscribe(topic, params, { snapshot: look, delta: look })
  })
}

interface Agent {
  call(tool: string, args: object): Promise<{ content: { text: string }[]; isError?: boolean }>
  notify(method: string, params: object): void
  heard(method: string): Promise<Record<string, unknown>>
  socket: WebSocket
}

/** A command line as the protocol has it. */
async function connectAgent(): Promise<Agent> {
  const ready = readyOf(window).claudeIde
  if (!ready) throw new Error('no server')
  const lock = JSON.parse(await readFile(ready.lockFiles[0] ?? '', 'utf8')) as { authToken: string }
  const socket = new WebSocket(`ws://127.0.0.1:${ready.port}/`, ['mcp'], {
    headers: { 'x-claude-code-ide-authorization': lock.authToken },
  })
  sockets.push(socket)
  const answers = new Map<number, (result: never) => void>()
  const waiting = new Map<string, (params: Record<string, unknown>) => void>()
  let next = 0
  socket.on('message', (data) => {
    const message = JSON.parse(String(data)) as {
      id?: number
      method?: string
      result?: never
      params?: Record<string, unknown>
    }
    if (message.method !== undefined) waiting.get(message.method)?.(message.params ?? {})
    else if (message.id !== undefined && message.result) answers.get(message.id)?.(message.result)
  })
  await new Promise<void>((resolve, reject) => {
    socket.once('open', resolve)
    socket.once('error', reject)
  })
  const request = (method: string, params: object) =>
    new Promise<never>((resolve) => {
      const id = next++
      answers.set(id, resolve)
      socket.send(JSON.stringify({ jsonrpc: '2.0', id, method, params }))
    })
  await request('initialize', {
    protocolVersion: '2025-11-25',
    capabilities: {},
    clientInfo: { name: 'claude-code', version: '2.1.330' },
  })
  return {
    socket,
    call: (name, args) => request('tools/call', { name, arguments: args }),
    notify: (method, params) => socket.send(JSON.stringify({ jsonrpc: '2.0', method, params })),
    heard: (method) => new Promise((resolve) => waiting.set(method, resolve)),
  }
}

const openDiff = (path: string, contents: string, name = 'diff') => ({
  old_file_path: path,
  new_file_path: path,
  new_file_contents: contents,
  tab_name: name,
})

const review = (path: string) =>
  until('reviews', {}, (data) => {
    const all = 'reviews' in data ? data.reviews : 'review' in data ? [data.review] : []
    return all.find((one) => one.path === path && one.phase === 'open')
  })

describe('a window', () => {
  it('tells its folder, branch and version', async () => {
    const state = await until('window', {}, (data) => (data.branch ? data : undefined))
    expect(state).toMatchObject({ branch: 'trunk' })
    expect(window.folders.named).toEqual([{ name: 'project', path: project }])
  })

  it('shows the folder, a level at a time, and what comes to it', async () => {
    const names = until('directory', { path: project }, (data) =>
      data.kind === 'entries' && data.entries.some(({ name }) => name === 'new.txt')
        ? data.entries.map(({ name }) => name)
        : undefined,
    )
    await writeFile(join(project, 'new.txt'), '')
    expect(await names).toEqual(['a.txt', 'new.txt'])
    const outside = await until('directory', { path: '/etc' }, (data) => data)
    expect(outside.kind).toBe('failed')
  })

  it('edits and saves a file, and says that it is dirty', async () => {
    const path = join(project, 'a.txt')
    await page.call('tabs.openFile', { path, preview: false })
    const document = await until('document', { path }, (data) => data)
    if (!('version' in document) || document.kind !== 'text') throw new Error('no text')
    expect(document.text).toEqual({ text: 'one\ntwo\nthree\n' })
    const { version } = document
    const updates = [{ clientID: 'p', changes: [[0, 'zero', ''], 14] }]
    expect(await page.call('documents.push', { path, version, updates })).toEqual({ status: 'accepted' })
    const dirty = await until('tabs', {}, (data) => ('tabs' in data ? data.tabs[0] : undefined))
    expect(dirty).toMatchObject({ kind: 'file', name: 'a.txt', dirty: true })
    const closing = await page.call('tabs.close', { id: dirty.id, unsaved: 'ask' })
    expect(closing).toMatchObject({ ok: false, failure: { code: 'unsaved' } })
    expect(await page.call('documents.save', { path })).toMatchObject({ ok: true })
    expect(await readFile(path, 'utf8')).toBe('zero\none\ntwo\nthree\n')
  })
})

describe('an agent in a window', () => {
  it('is shown, asks for a change, and gets exactly what was accepted', async () => {
    const agent = await connectAgent()
    agent.notify('ide_connected', { pid: process.pid })
    const connection = await until('connections', {}, (data) =>
      data.connections?.find(({ pid }) => pid !== null),
    )
    expect(connection).toMatchObject({ agent: 'Claude', version: '2.1.330', pid: process.pid })
    const path = join(project, 'a.txt')
    const answer = agent.call('openDiff', openDiff(path, 'ONE\ntwo\nTHREE\n'))
    const { id } = await review(path)
    const tab = await until('tabs', {}, (data) => {
      const tabs = 'tabs' in data ? data.tabs : 'state' in data ? data.state.tabs : []
      return tabs.find((one) => one.kind === 'review')
    })
    expect(tab).toMatchObject({ review: id, name: 'a.txt' })
    const steps = [{ kind: 'reject' as const, hunk: 2 }]
    const stepped = await page.call('review.step', { id, client: 'p', version: 0, after: 0, steps })
    const { revision } = await review(path)
    expect(stepped).toEqual({ status: 'accepted', revision })
    expect(await page.call('review.accept', { id, revision })).toEqual({ ok: true, value: {} })
    const { content } = await answer
    expect(content.map(({ text }) => text)).toEqual(['FILE_SAVED', 'ONE\ntwo\nthree\n'])
    expect(await readFile(path, 'utf8')).toBe('one\ntwo\nthree\n')
    const notice = until('notices', {}, (data) =>
      'kind' in data && data.kind === 'add' ? data.notice : undefined,
    )
    await writeFile(path, 'ONE\ntwo\nthree\n')
    expect(await notice).toMatchObject({
      text: 'a.txt accepted and written.',
      action: { kind: 'undo-review' },
    })
    expect(window.tabs.findReview(id)).toBeUndefined()
  })

  it('gets a rejection when the tab of its review is closed', async () => {
    const agent = await connectAgent()
    const path = join(project, 'new.txt')
    const answer = agent.call('openDiff', openDiff(path, 'x\n'))
    const { id } = await review(path)
    const tab = window.tabs.findReview(id)
    await page.call('tabs.close', { id: tab?.id ?? '', unsaved: 'ask' })
    expect((await answer).content.map(({ text }) => text)).toEqual(['DIFF_REJECTED'])
  })

  it('is saved as patches beside each other, none over another', async () => {
    const agent = await connectAgent()
    const path = join(project, 'a.txt')
    const answer = agent.call('openDiff', openDiff(path, 'ONE\n'))
    const { id, revision } = await review(path)
    const saved = [await page.call('review.savePatch', { id }), await page.call('review.savePatch', { id })]
    expect(saved).toEqual(
      ['a.txt.patch', 'a.txt.2.patch'].map((name) => ({ ok: true, value: { path: join(project, name) } })),
    )
    await page.call('review.reject', { id, revision })
    await answer
  })

  it('has a note typed as soon as it has put its own question away, and not before', async () => {
    const agent = await connectAgent()
    // As if it ran in a terminal of the window.
    const [connection] = window.connections.list()
    if (!connection) throw new Error('nobody is connected')
    window.connections.put({ ...connection, terminal: 'its terminal' })
    vi.spyOn(window.terminals, 'get').mockReturnValue({} as Terminal)
    const typed = vi.spyOn(window.terminals, 'typeInto').mockResolvedValue({ ok: true, value: {} })
    const path = join(project, 'a.txt')
    const asked = openDiff(path, 'ONE\n')
    const answer = agent.call('openDiff', asked)
    const { id, revision } = await review(path)
    await page.call('review.reject', { id, revision, note: 'better not' })
    expect((await answer).content.map(({ text }) => text)).toEqual(['DIFF_REJECTED'])
    expect(typed).not.toHaveBeenCalled()
    await agent.call('close_tab', { tab_name: asked.tab_name })
    expect(typed).toHaveBeenCalledExactlyOnceWith('its terminal', 'better not', expect.any(Number))
  })

  it('sees the selection, and is given mentions', async () => {
    const agent = await connectAgent()
    const path = join(project, 'a.txt')
    await page.call('tabs.openFile', { path, preview: true })
    const state = await until('document', { path }, (data) => ('version' in data ? data : undefined))
    const range = { start: { line: 0, character: 0 }, end: { line: 1, character: 3 } }
    const told = agent.heard('selection_changed')
    await page.call('selection.set', { selection: { path, version: state.version, range } })
    expect(await told).toMatchObject({ text: 'one\ntwo', filePath: path })
    const current = await agent.call('getCurrentSelection', {})
    expect(JSON.parse(current.content[0]?.text ?? '')).toMatchObject({ success: true, text: 'one\ntwo' })
    const mentioned = agent.heard('at_mentioned')
    const mention = await page.call('selection.mention', { path, lines: { first: 0, last: 1 } })
    expect(mention).toEqual({ ok: true, value: { told: 1 } })
    expect(await mentioned).toEqual({ filePath: path, lineStart: 0, lineEnd: 1 })
  })

  it('opens files and reads the editors', async () => {
    const agent = await connectAgent()
    const path = join(project, 'a.txt')
    const opened = await agent.call('openFile', { filePath: path, startText: 'two', makeFrontmost: false })
    expect(JSON.parse(opened.content[0]?.text ?? '')).toEqual({
      success: true,
      filePath: path,
      languageId: 'plaintext',
      lineCount: 4,
    })
    const editors = await agent.call('getOpenEditors', {})
    expect(JSON.parse(editors.content[0]?.text ?? '')).toMatchObject({
      tabs: [{ label: 'a.txt', isDirty: false }],
    })
    const missing = await agent.call('openFile', { filePath: join(project, 'missing.txt') })
    expect(missing.isError).toBe(true)
    expect(window.tabs.state.tabs.length).toBe(1)
  })

  it('leaves only a draft when it vanishes', async () => {
    const agent = await connectAgent()
    const path = join(project, 'a.txt')
    void agent.call('openDiff', openDiff(path, 'x\n'))
    const { id } = await review(path)
    agent.socket.terminate()
    await until('reviews', {}, (data) => 'review' in data && data.review.phase === 'orphaned')
    const { revision } = app.windows()[0]?.parts.desk.summary(id) ?? { revision: 0 }
    const saved = await page.call('review.savePatch', { id })
    expect(saved).toMatchObject({ ok: true, value: { path: join(project, 'a.txt.patch') } })
    expect(await page.call('review.discard', { id, revision })).toMatchObject({ ok: true })
    await until('connections', {}, (data) => data.connections?.length === 0)
  })

  it('is shut out by the switch, which removes the lock file', async () => {
    const files = readyOf(window).claudeIde?.lockFiles ?? []
    expect((await stat(files[0] ?? '')).mode & 0o777).toBe(0o600)
    const agent = await connectAgent()
    const closed = new Promise((resolve) => agent.socket.once('close', resolve))
    await page.call('connections.setServer', { dialect: 'claude-ide', on: false })
    await closed
    await expect(access(files[0] ?? '')).rejects.toThrow()
    const before = files[0]
    await page.call('connections.setServer', { dialect: 'claude-ide', on: true })
    expect(readyOf(window).claudeIde?.lockFiles[0]).toBe(before)
  })
})

describe('the app', () => {
  it('comes back with port, tabs and drafts after an end', async () => {
    const agent = await connectAgent()
    const path = join(project, 'a.txt')
    await page.call('tabs.openFile', { path, preview: false })
    void agent.call('openDiff', openDiff(path, 'x\n'))
    const { id } = await review(path)
    const { port } = readyOf(window).claudeIde ?? { port: 0 }
    await app.shutdown()
    await startApp()
    expect(readyOf(window).claudeIde?.port).toBe(port)
    const left = await until('reviews', {}, (data) => ('reviews' in data ? data.reviews : undefined))
    expect(left).toMatchObject([{ id, phase: 'orphaned', agent: 'Claude' }])
    expect(window.tabs.findFile(path)).toBeDefined()
    expect(window.tabs.findReview(id)).toBeDefined()
  })

  it('refuses a second owner of the data directory, and does not touch its settings', async () => {
    let opened = 0
    const second = await App.create({
      dataDir: join(home, 'data'),
      host: 'browser',
      version: '0',
      log: silent,
      settingsStore: () => {
        opened++
        return createMemorySettingsStore()
      },
      abilities: noAbilities,
    })
    expect(second.ok ? '' : second.failure.code).toBe('in-use')
    expect(opened).toBe(0)
  })
})
