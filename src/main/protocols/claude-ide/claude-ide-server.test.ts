import { request as httpRequest } from 'node:http'
import { mkdir, mkdtemp, readdir, readFile, realpath, rm, stat, symlink, writeFile } from 'node:fs/promises'
import type { Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Client } from '@modelcontextprotocol/client'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { DisposableStack } from '../../../shared/lifetime'
import { type Frame, Peer } from '../../../../test/claude-ide-peer'
import { PlainClaudeApp } from '../../../../test/plain-claude-app'

const header = 'x-claude-code-ide-authorization'
let home = ''
let owned = new DisposableStack()

beforeEach(async () => {
  home = await realpath(await mkdtemp(join(tmpdir(), 'greenlight-claude-')))
})
afterEach(async () => {
  owned.dispose()
  owned = new DisposableStack()
  await rm(home, { recursive: true, force: true })
})

/** An app that ends with its test. */
class App extends PlainClaudeApp {
  constructor() {
    super(home)
    owned.add(this)
  }
}

/** A client of the test's own, which ends with it. */
async function connectPeer(...to: Parameters<typeof Peer.connect>): Promise<Peer> {
  return owned.add(await Peer.connect(...to))
}

const json = (value: unknown) => JSON.parse((value as string[])[0] ?? '') as unknown

/** The status of an upgrade, or of a plain request. */
function status(port: number, headers: Record<string, string>, path = '/', upgrade = true): Promise<number> {
  const more = upgrade
    ? {
        connection: 'Upgrade',
        upgrade: 'websocket',
        'sec-websocket-version': '13',
        'sec-websocket-key': 'MDEyMzQ1Njc4OWFiY2RlZg==',
      }
    : {}
  return new Promise((resolve, reject) => {
    const out = httpRequest({ host: '127.0.0.1', port, path, headers: { ...more, ...headers } })
    out.once('response', (response) => {
      response.resume()
      resolve(response.statusCode ?? 0)
    })
    out.once('upgrade', (_response, socket) => {
      socket.destroy()
      resolve(101)
    })
    out.once('error', reject)
    out.end()
  })
}

describe('letting command lines in', () => {
  it('refuses what is not one, with the right status', async () => {
    const app = new App()
    const { port, token } = await app.start()
    const good = { [header]: token }
    expect(await status(port, good)).toBe(101)
    expect(await status(port, {})).toBe(401)
    expect(await status(port, { [header]: token + 'x' })).toBe(401)
    expect(await status(port, { [header]: '' })).toBe(401)
    expect(await status(port, good, '/other')).toBe(404)
    expect(await status(port, { ...good, origin: 'http://127.0.0.1' })).toBe(403)
    expect(await status(port, { ...good, origin: `http://127.0.0.1:${port}` })).toBe(403)
    expect(await status(port, { ...good, host: `evil.example:${port}` })).toBe(403)
    expect(await status(port, { ...good, 'sec-websocket-version': '7' })).toBe(400)
    expect(await status(port, good, '/', false)).toBe(404)
    expect(app.refused).toEqual([401, 401, 401, 404, 403, 403, 403, 404])
  })

  it('echoes the subprotocol mcp and gives every client its own connection', async () => {
    const app = new App()
    const server = await app.start()
    const one = await connectPeer(server)
    const two = await connectPeer(server)
    expect(one.socket.protocol).toBe('mcp')
    expect(server.connections).toBe(2)
    await one.request('initialize', {
      protocolVersion: '2025-11-25',
      capabilities: {},
      clientInfo: { name: 'claude-code', version: '2.1.330' },
    })
    one.send({ jsonrpc: '2.0', method: 'ide_connected', params: { pid: 4711 } })
    two.send({ jsonrpc: '2.0', method: 'ide_connected', params: { pid: 'x' } })
    await one.frame((frame) => frame.method === 'selection_changed')
    await two.frame((frame) => frame.method === 'selection_changed')
    expect(app.facts[0]).toMatchObject({ agent: 'Claude', version: '2.1.330', pid: 4711 })
    expect(app.facts[1]).not.toHaveProperty('pid')
    expect(app.facts[0]?.id).not.toBe(app.facts[1]?.id)
    one.socket.terminate()
    while (app.ended === 0) await new Promise<void>((resolve) => app.onEnded.on(resolve))
    expect(server.connections).toBe(1)
  })

  it("speaks with the protocol's own client", async () => {
    const app = new App()
    const server = await app.start()
    const peer = await connectPeer(server)
    const transport = {
      onmessage: undefined as ((message: unknown) => void) | undefined,
      onclose: undefined as (() => void) | undefined,
      start: () => Promise.resolve(),
      send: (message: unknown) => Promise.resolve(peer.send(message)),
      close: () => Promise.resolve(peer.socket.close()),
    }
    peer.socket.on('message', (data: Buffer) => transport.onmessage?.(JSON.parse(data.toString())))
    const client = new Client({ name: 'test', version: '1' }, { capabilities: {} })
    await client.connect(transport as unknown as Parameters<Client['connect']>[0])
    expect(client.getServerVersion()).toEqual({ name: 'Greenlight', version: '9.9.9' })
    expect((await client.listTools()).tools.map((tool) => tool.name)).toEqual([
      'openFile',
      'openDiff',
      'getCurrentSelection',
      'getLatestSelection',
      'getOpenEditors',
      'getWorkspaceFolders',
      'getDiagnostics',
      'checkDocumentDirty',
      'saveDocument',
      'close_tab',
      'closeAllDiffTabs',
    ])
    expect((await client.listPrompts()).prompts).toEqual([])
    expect((await client.listResources()).resources).toEqual([])
    await client.ping()
    expect(await client.callTool({ name: 'closeAllDiffTabs', arguments: {} })).toEqual({
      content: [{ type: 'text', text: 'CLOSED_0_DIFF_TABS' }],
    })
    expect(app.facts[0]).toMatchObject({ agent: 'test', version: '1' })
    await client.close()
  })

  it('says that a message was too large, and closes with 1009', async () => {
    const app = new App()
    const peer = await connectPeer(await app.start())
    const open = peer.diff(join(home, 'a.txt'), 'x')
    const asked = await app.review(0)
    // The head of a frame of that length is enough; the client's own socket takes it as it is.
    const head = Buffer.from([0x81, 0xff, 0, 0, 0, 0, 4, 0, 0, 1, 0, 0, 0, 0])
    ;(peer.socket as unknown as { _socket: Socket })._socket.write(head)
    expect(await peer.closed).toBe(1009)
    expect(app.said).toEqual([expect.stringMatching(/^Claude sent more than 64 MB at once.*\/ide/)])
    expect(asked.signal.reason).toBe('connection-lost')
    void open
  })

  it('logs frames, of large ones only the beginning', async () => {
    const app = new App()
    const peer = await connectPeer(await app.start())
    void peer.diff(join(home, 'a.txt'), 'x'.repeat(300_000), 'big')
    await app.review(0)
    const [direction, text, bytes] = app.log.at(-1) ?? ['', '', 0]
    expect(direction).toBe('in')
    expect(text.length).toBe(4096)
    expect(bytes).toBeGreaterThan(300_000)
    expect(JSON.stringify(app.log)).not.toContain('authorization')
  })
})

describe('openDiff', () => {
  it('answers with the text that was accepted', async () => {
    const app = new App()
    const peer = await connectPeer(await app.start())
    const path = join(home, 'a.txt')
    const answer = peer.diff(path, 'new\n', 'tab 1')
    const { proposal, answer: decide } = await app.review(0)
    expect(proposal).toMatchObject({
      origin: { dialect: 'claude-ide', connection: app.facts[0]?.id, agent: 'Claude', call: '1' },
      path,
      proposed: 'new\n',
      title: 'tab 1',
      effect: 'agent',
    })
    decide({ kind: 'accepted', text: 'new\r\nmine\r\n' })
    expect(await answer).toEqual(['FILE_SAVED', 'new\r\nmine\r\n'])
  })

  it('answers a rejection, and an error that leaves the question in the terminal', async () => {
    const app = new App()
    const peer = await connectPeer(await app.start())
    const path = join(home, 'a.txt')
    const rejected = peer.diff(path, '1')
    ;(await app.review(0)).answer({ kind: 'rejected', note: 'no' })
    expect(await rejected).toEqual(['DIFF_REJECTED'])
    const refused = peer.diff(path, '2')
    ;(await app.review(1)).answer({ kind: 'refused', message: 'It cannot be read.' })
    expect(await refused).toEqual({ error: 'It cannot be read.' })
  })

  it('empties a file, but leaves a new empty file to the terminal', async () => {
    const app = new App()
    const peer = await connectPeer(await app.start())
    const path = join(home, 'a.txt')
    await writeFile(path, 'old')
    const emptied = peer.diff(path, '')
    ;(await app.review(0)).answer({ kind: 'accepted', text: '' })
    expect(await emptied).toEqual(['FILE_SAVED', ''])
    expect(await peer.diff(join(home, '__init__.py'), '')).toEqual({
      error: expect.stringContaining('terminal') as string,
    })
    expect(app.said).toEqual([expect.stringContaining('__init__.py')])
    expect(app.asked).toHaveLength(1)
  })

  it('refuses what is no file, before anyone is asked', async () => {
    const app = new App()
    const peer = await connectPeer(await app.start())
    await mkdir(join(home, 'folder'))
    await symlink(join(home, 'folder'), join(home, 'link'))
    const sentence = { error: expect.stringMatching(/^.+\.$/) as string }
    for (const path of [
      'relative.txt',
      '',
      join(home, 'folder'),
      join(home, 'link'),
      '/dev/null',
      join(home, 'a\0b'),
    ]) {
      const answer = await peer.diff(path, 'x')
      if (path === '') expect(answer).toMatchObject({ code: -32602 })
      else expect(answer).toEqual(sentence)
    }
    expect(
      await peer.call('openDiff', {
        old_file_path: join(home, 'a'),
        new_file_path: join(home, 'b'),
        new_file_contents: 'x',
        tab_name: 't',
      }),
    ).toEqual(sentence)
    expect(await peer.call('openDiff', { new_file_path: join(home, 'a') })).toMatchObject({ code: -32602 })
    expect(app.asked).toEqual([])
    expect(await peer.call('closeAllDiffTabs')).toEqual(['CLOSED_0_DIFF_TABS'])
    expect(app.turns).toBe(1)
  })

  it('withdraws what was answered in the terminal, and answers each call once', async () => {
    const app = new App()
    const peer = await connectPeer(await app.start())
    const answer = peer.diff(join(home, 'a.txt'), '1', 'mine')
    const asked = await app.review(0)
    expect(await peer.call('close_tab', { tab_name: 'mine' })).toEqual(['TAB_CLOSED'])
    expect(asked.signal.reason).toBe('answered-there')
    expect(await answer).toEqual(['DIFF_REJECTED'])
    asked.answer({ kind: 'accepted', text: 'late' })
    expect(await peer.call('close_tab', { tab_name: 'mine' })).toEqual(['TAB_CLOSED'])
    expect(peer.frames.filter((frame) => frame.id === 1)).toHaveLength(1)
  })

  it('tells when the client has put its own question away, once for each that was answered here', async () => {
    const app = new App()
    const peer = await connectPeer(await app.start())
    const rejected = peer.diff(join(home, 'a.txt'), '1', 'first')
    ;(await app.review(0)).answer({ kind: 'rejected', note: 'no' })
    await rejected
    expect(app.questionsClosed).toEqual([])
    await peer.call('close_tab', { tab_name: 'another' })
    expect(app.questionsClosed).toEqual([])
    await peer.call('close_tab', { tab_name: 'first' })
    await peer.call('close_tab', { tab_name: 'first' })
    const connection = app.facts[0]?.id
    expect(app.questionsClosed).toEqual([{ connection, call: '1' }])
    const accepted = peer.diff(join(home, 'a.txt'), '2', 'second')
    ;(await app.review(1)).answer({ kind: 'accepted', text: '2' })
    await accepted
    await peer.call('closeAllDiffTabs')
    expect(app.questionsClosed).toHaveLength(2)
  })

  it('ends no turn of a model that was told otherwise: its client puts the question away', async () => {
    const app = new App()
    const peer = await connectPeer(await app.start())
    const rejected = peer.diff(join(home, 'a.txt'), '1', 'first')
    ;(await app.review(0)).answer({ kind: 'rejected', note: 'no', told: true })
    await peer.request('ping', {})
    await peer.call('closeAllDiffTabs')
    expect(peer.frames.filter((frame) => frame.id === 1)).toEqual([])
    await peer.call('close_tab', { tab_name: 'first' })
    expect(await rejected).toEqual(['DIFF_REJECTED'])
    expect(app.questionsClosed).toHaveLength(1)
  })

  it('never opens what was closed before the disk was looked at', async () => {
    const app = new App()
    const peer = await connectPeer(await app.start())
    const answer = peer.diff(join(home, 'a.txt'), '1', 'mine')
    const closed = peer.call('close_tab', { tab_name: 'mine' })
    expect(await closed).toEqual(['TAB_CLOSED'])
    expect(await answer).toEqual(['DIFF_REJECTED'])
    expect(app.asked.filter((asked) => !asked.signal.aborted)).toEqual([])
  })

  it('leaves open what is asked where a turn begins: sub-agents in the background go on asking', async () => {
    const app = new App()
    const peer = await connectPeer(await app.start())
    const answers = [peer.diff(join(home, 'a'), '1', 'one'), peer.diff(join(home, 'b'), '2', 'two')]
    await app.review(1)
    expect(await peer.call('closeAllDiffTabs')).toEqual(['CLOSED_0_DIFF_TABS'])
    for (const asked of app.asked) {
      expect(asked.signal.aborted).toBe(false)
      asked.answer({ kind: 'rejected' })
    }
    expect(await Promise.all(answers)).toEqual([['DIFF_REJECTED'], ['DIFF_REJECTED']])
  })

  it('closes by its name only a diff of the connection that says so', async () => {
    const app = new App()
    const server = await app.start()
    const one = await connectPeer(server)
    const two = await connectPeer(server)
    void two.diff(join(home, 'a'), '3', 'same')
    const other = await app.review(0)
    await one.call('close_tab', { tab_name: 'same' })
    expect(other.signal.aborted).toBe(false)
    expect(await two.call('close_tab', { tab_name: 'same' })).toEqual(['TAB_CLOSED'])
    expect(other.signal.aborted).toBe(true)
  })

  it('withdraws what was cancelled or whose client has gone', async () => {
    const app = new App()
    const peer = await connectPeer(await app.start())
    void peer.diff(join(home, 'a'), '1')
    void peer.diff(join(home, 'b'), '2')
    const gone = await app.review(1)
    peer.send({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 1 } })
    await peer.request('ping', {})
    expect(app.asked[0]?.signal.reason).toBe('cancelled')
    peer.socket.terminate()
    await new Promise<void>((resolve) => gone.signal.addEventListener('abort', () => resolve()))
    expect(gone.signal.reason).toBe('connection-lost')
    expect(peer.frames.filter((frame) => frame.id === 1)).toEqual([])
  })

  it('takes messages in order around a large one', async () => {
    const app = new App()
    const peer = await connectPeer(await app.start())
    const text = 'line ä\n'.repeat(200_000)
    const answer = peer.diff(join(home, 'a'), text, 'big')
    const closed = peer.call('close_tab', { tab_name: 'big' })
    const garbage = '{' + ' '.repeat(300_000)
    peer.send(garbage)
    const pinged = peer.request('ping', {})
    expect(await closed).toEqual(['TAB_CLOSED'])
    expect(await answer).toEqual(['DIFF_REJECTED'])
    expect(app.closedTabs).toEqual([])
    await pinged
    expect(peer.frames.filter((frame) => 'error' in frame)).toMatchObject([
      { id: null, error: { code: -32700 } },
    ])
    const again = peer.diff(join(home, 'a'), text, 'big')
    const asked = app.asked.length
    const { proposal, answer: decide } = await app.review(asked)
    expect(proposal.proposed).toBe(text)
    decide({ kind: 'accepted', text })
    expect(await again).toEqual(['FILE_SAVED', text])
  })
})

describe('the other tools', () => {
  it('openFile opens, selects, and answers in both ways', async () => {
    const app = new App()
    const peer = await connectPeer(await app.start())
    expect(await peer.call('openFile', { filePath: '/p/a.ts' })).toEqual(['Opened file: /p/a.ts'])
    const asked = { filePath: '/p/a.ts', preview: true, startText: 'second', makeFrontmost: false }
    const answer = await peer.call('openFile', { ...asked, selectToEndOfLine: true })
    expect(json(answer)).toEqual({
      success: true,
      filePath: '/p/a.ts',
      languageId: 'plaintext',
      lineCount: 3,
    })
    expect(app.opened).toEqual([
      { path: '/p/a.ts', preview: false, makeFrontmost: true, found: undefined },
      {
        path: '/p/a.ts',
        preview: true,
        makeFrontmost: false,
        found: { start: { line: 1, character: 0 }, end: { line: 1, character: 11 } },
      },
    ])
    expect(await peer.call('openFile', { filePath: '/p/missing' })).toEqual({
      error: 'There is no such file.',
    })
    expect(await peer.call('openFile', { filePath: 'relative' })).toEqual({
      error: 'openFile needs an absolute path.',
    })
    expect(await peer.call('openFile', { filePath: 5 })).toMatchObject({ code: -32602 })
  })

  it('tell selections', async () => {
    const app = new App()
    const peer = await connectPeer(await app.start())
    expect(json(await peer.call('getCurrentSelection'))).toEqual({
      success: false,
      message: 'No active editor found',
    })
    expect(json(await peer.call('getLatestSelection'))).toEqual({
      success: false,
      message: 'No selection available',
    })
    const stretch = { start: { line: 1, character: 2 }, end: { line: 3, character: 4 } }
    app.latest = app.current = { path: '/p/a.ts', text: 'abc', ...stretch }
    const answer = { success: true, text: 'abc', filePath: '/p/a.ts', selection: stretch }
    expect(json(await peer.call('getCurrentSelection'))).toEqual(answer)
    expect(json(await peer.call('getLatestSelection'))).toEqual(answer)
  })

  it('tell tabs, folders and diagnostics', async () => {
    const app = new App()
    const peer = await connectPeer(await app.start())
    expect(json(await peer.call('getOpenEditors'))).toEqual({
      tabs: [
        {
          uri: 'file:///p/a%20b%23.ts',
          isActive: true,
          label: 'a b#.ts',
          languageId: 'typescript',
          isDirty: false,
        },
      ],
    })
    expect(json(await peer.call('getWorkspaceFolders'))).toEqual({
      success: true,
      folders: [{ name: 'project', uri: `file://${home}/project`, path: `${home}/project` }],
      rootPath: `${home}/project`,
    })
    const found = {
      message: 'no',
      severity: 'Error',
      range: { start: { line: 1, character: 0 }, end: { line: 1, character: 2 } },
      source: 'ts',
      code: 7,
    }
    for (const uri of ['file:///p/a b.ts', 'file:///p/a%20b.ts', 'file:///p/100%.ts']) {
      expect(json(await peer.call('getDiagnostics', { uri }))).toEqual([{ uri, diagnostics: [found] }])
    }
    expect(json(await peer.call('getDiagnostics'))).toEqual([
      { uri: 'file:///all%20of%20it', diagnostics: [found] },
    ])
    expect(json(await peer.call('getDiagnostics', { uri: 'untitled:1' }))).toEqual([])
  })

  it('tell and save what is dirty', async () => {
    const app = new App()
    app.dirty.set('/p/a', true).set('/p/conflict', true)
    const peer = await connectPeer(await app.start())
    const state = { success: true, filePath: '/p/a', isUntitled: false }
    expect(json(await peer.call('checkDocumentDirty', { filePath: '/p/a' }))).toEqual({
      ...state,
      isDirty: true,
    })
    expect(json(await peer.call('saveDocument', { filePath: '/p/a' }))).toEqual({
      success: true,
      filePath: '/p/a',
      saved: true,
      message: 'Document saved successfully',
    })
    expect(json(await peer.call('checkDocumentDirty', { filePath: '/p/a' }))).toEqual({
      ...state,
      isDirty: false,
    })
    expect(json(await peer.call('saveDocument', { filePath: '/p/conflict' }))).toEqual({
      success: false,
      filePath: '/p/conflict',
      saved: false,
      message: 'The file has changed on disk.',
    })
    const missing = { success: false, message: 'Document not open: /p/x' }
    expect(json(await peer.call('checkDocumentDirty', { filePath: '/p/x' }))).toEqual(missing)
    expect(json(await peer.call('saveDocument', { filePath: '/p/x' }))).toEqual(missing)
  })

  it('close other tabs by name, and know nothing of executing code', async () => {
    const app = new App()
    const peer = await connectPeer(await app.start())
    expect(await peer.call('close_tab', { tab_name: 'a.ts' })).toEqual(['TAB_CLOSED'])
    expect(app.closedTabs).toEqual(['a.ts'])
    expect(await peer.call('executeCode', { code: '1' })).toMatchObject({ code: -32602 })
  })
})

describe('notifications', () => {
  const selection = {
    path: '/p/a b.ts',
    text: 'abc',
    start: { line: 1, character: 0 },
    end: { line: 1, character: 3 },
  }
  const changed = (frame: Frame) => frame.method === 'selection_changed'

  it('tell a selection once it rests, again to whoever connects, and clear it', async () => {
    const app = new App()
    const server = await app.start()
    const peer = await connectPeer(server)
    app.current = { ...selection, text: 'first' }
    app.selectionChanges.emit({ atOnce: false })
    app.current = selection
    app.selectionChanges.emit({ atOnce: false })
    expect(await peer.frame(changed)).toEqual({
      jsonrpc: '2.0',
      method: 'selection_changed',
      params: {
        text: 'abc',
        filePath: '/p/a b.ts',
        fileUrl: 'file:///p/a%20b.ts',
        selection: { start: selection.start, end: selection.end, isEmpty: false },
      },
    })
    app.current = { ...selection, text: '', end: selection.start }
    peer.frames.length = 0
    peer.send({ jsonrpc: '2.0', method: 'ide_connected', params: { pid: 1 } })
    expect(await peer.frame(changed)).toMatchObject({ params: { text: '', selection: { isEmpty: true } } })
    peer.frames.length = 0
    app.current = null
    app.selectionChanges.emit({ atOnce: false })
    const zero = { line: 0, character: 0 }
    expect((await peer.frame(changed))['params']).toEqual({
      text: '',
      selection: { start: zero, end: zero, isEmpty: true },
    })
    expect(peer.frames).toHaveLength(1)
  })

  it('tell the latest selection to a client that did not read for a while, as soon as it has', async () => {
    const app = new App()
    const server = await app.start()
    const peer = await connectPeer(server)
    peer.socket.pause()
    const text = 's'.repeat(60_000)
    // More than the system takes on the way, and what may be left unsent.
    for (let line = 0; line < 400; line++) {
      app.current = {
        ...selection,
        text,
        start: { line, character: 0 },
        end: { line: line + 1, character: 0 },
      }
      app.selectionChanges.emit({ atOnce: true })
      await new Promise(setImmediate)
    }
    app.current = null
    app.selectionChanges.emit({ atOnce: true })
    peer.socket.resume()
    const zero = { line: 0, character: 0 }
    const gone = { text: '', selection: { start: zero, end: zero, isEmpty: true } }
    const last = await peer.frame(({ params }) => (params as { text?: unknown } | undefined)?.text === '')
    expect(last['params']).toEqual(gone)
    expect(peer.frames.length).toBeLessThan(400)
    expect(peer.frames.at(-1)).toBe(last)
  })

  it('cut a long selection between characters', async () => {
    const app = new App()
    const server = await app.start()
    const peer = await connectPeer(server)
    app.current = { ...selection, text: `${'x'.repeat(65_535)}😀 and more` }
    app.selectionChanges.emit({ atOnce: true })
    expect((await peer.frame(changed))['params']).toMatchObject({ text: 'x'.repeat(65_535) })
  })

  it('mention lines to all, or to one', async () => {
    const app = new App()
    const server = await app.start()
    expect(server.mention({ path: '/p/a' })).toBe(0)
    const one = await connectPeer(server)
    const two = await connectPeer(server)
    expect(server.mention({ path: '/p/a', lines: { first: 0, last: 2 } })).toBe(2)
    const mentioned = { filePath: '/p/a', lineStart: 0, lineEnd: 2 }
    const isMention = (frame: Frame) => frame.method === 'at_mentioned'
    expect(await one.frame(isMention)).toEqual({ jsonrpc: '2.0', method: 'at_mentioned', params: mentioned })
    expect(await two.frame(isMention)).toMatchObject({ params: mentioned })
    expect(server.mention({ path: '/p/b' }, app.facts[1]?.id)).toBe(1)
    expect(await two.frame((f) => isMention(f) && f !== two.frames[0])).toMatchObject({
      params: { filePath: '/p/b' },
    })
    expect(one.frames).toHaveLength(1)
    expect(server.mention({ path: '/p/b' }, 'nobody')).toBe(0)
  })
})

describe('being found', () => {
  const lock = async (folder: string, port: number) =>
    JSON.parse(await readFile(join(folder, 'ide', `${port}.lock`), 'utf8')) as Record<string, unknown>

  it('writes one lock file, in the home wherever the configuration is, follows the folders, and removes it', async () => {
    const app = new App()
    const config = join(home, 'config')
    const server = await app.start({ configFolder: config })
    const usual = join(home, '.claude')
    expect(server.port).toBeGreaterThanOrEqual(10_000)
    expect(await lock(usual, server.port)).toEqual({
      pid: process.pid,
      workspaceFolders: [join(home, 'project')],
      ideName: 'Greenlight',
      transport: 'ws',
      authToken: server.lockToken,
    })
    // A second one would be a second editor, and none would be taken without asking.
    expect(server.lockFiles).toEqual([join(usual, 'ide', `${server.port}.lock`)])
    await expect(readdir(join(config, 'ide'))).rejects.toThrow(/ENOENT/)
    if (process.platform !== 'win32') {
      expect((await stat(server.lockFiles[0] ?? '')).mode & 0o777).toBe(0o600)
    }
    app.folders.push({ name: 'second', path: join(home, 'second') })
    app.foldersChanged.emit()
    const wanted = [join(home, 'project'), join(home, 'second')]
    await expect.poll(async () => (await lock(usual, server.port))['workspaceFolders']).toEqual(wanted)
    server.dispose()
    expect(await readdir(join(usual, 'ide'))).toEqual([])
    expect(server.lockFiles).toEqual([])
    app.foldersChanged.emit()
  })

  it('writes a folder into its lock file that came while it was first written', async () => {
    const app = new App()
    const [first] = app.folders
    let reads = 0
    app.ports.folders.folders = () => {
      const now = [...app.folders]
      if (++reads > 1) return now
      setImmediate(() => {
        app.folders.push({ name: 'second', path: join(home, 'second') })
        app.foldersChanged.emit()
      })
      return now
    }
    const server = await app.start()
    await expect
      .poll(async () => (await lock(join(home, '.claude'), server.port))['workspaceFolders'])
      .toEqual([first?.path, join(home, 'second')])
  })

  it('writes its lock file to the folder of the configuration where the home’s cannot be written', async () => {
    const app = new App()
    const config = join(home, 'config')
    await writeFile(join(home, '.claude'), 'no folder')
    const server = await app.start({ configFolder: config })
    expect(server.lockFiles).toEqual([join(config, 'ide', `${server.port}.lock`)])
    expect(await lock(config, server.port)).toMatchObject({ authToken: server.lockToken })
    server.dispose()
    expect(await readdir(join(config, 'ide'))).toEqual([])
  })

  it('keeps its address over a restart, and cleans up after a crash', async () => {
    const app = new App()
    const folder = join(home, '.claude', 'ide')
    await mkdir(folder, { recursive: true })
    // Above the largest id that Linux gives a process.
    const gone = { pid: 2 ** 22 + 1 }
    await writeFile(join(folder, '11111.lock'), JSON.stringify({ ...gone, ideName: 'Greenlight' }))
    await writeFile(join(folder, '22222.lock'), JSON.stringify({ ...gone, ideName: 'Another' }))
    const first = await app.start()
    const { port, token } = first
    expect((await readdir(folder)).sort()).toEqual(['22222.lock', `${port}.lock`].sort())
    first.dispose()
    await first.closed
    const second = await app.start({ kept: { port, token } })
    expect([second.port, second.token]).toEqual([port, token])
    const third = await app.start({ kept: { port, token } })
    expect(third.port).not.toBe(port)
    expect(third.token).toBe(token)
    // One that has not given up comes back with the token it had; one that has, knows the new one as another address.
    expect(new Set([first, second, third].map(({ lockToken }) => lockToken)).size).toBe(3)
    expect(await status(second.port, { [header]: first.lockToken })).toBe(101)
    expect(await status(second.port, { [header]: second.lockToken })).toBe(101)
  })

  it('stops whole: clients closed unanswered, reviews withdrawn, the port free', async () => {
    const app = new App()
    const server = await app.start()
    const peer = await connectPeer(server)
    void peer.diff(join(home, 'a'), '1')
    const asked = await app.review(0)
    server.dispose()
    server.dispose()
    await server.closed
    await peer.closed
    expect(asked.signal.reason).toBe('shutdown')
    expect(peer.frames).toEqual([])
    expect(app.ended).toBe(1)
    await expect(connectPeer(server)).rejects.toThrow(/ECONNREFUSED/)
  })

  it('does not start where its folder is a file', async () => {
    await writeFile(join(home, '.claude'), '')
    const app = new App()
    await expect(app.start()).rejects.toMatchObject({ code: 'cannot-write' })
  })
})
