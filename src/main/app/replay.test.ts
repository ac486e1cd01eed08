import { mkdtemp, readFile, realpath, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openWindowOn, startPlainApp, readyOf } from '../../../test/plain-app'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { type Frame, Peer } from '../../../test/claude-ide-peer'
import { unfoldFrame } from '../../../test/unfolded-frame'
import type { App } from './app'
import type { WindowHost } from './window-host'

let home: string
let app: App
let window: WindowHost
const peers: Peer[] = []

beforeEach(async () => {
  home = await realpath(await mkdtemp(join(tmpdir(), 'greenlight-replay-')))
  app = await startPlainApp(home, {
    env: { PATH: process.env['PATH'], HOME: home, TMPDIR: home, SHELL: '/bin/sh' },
  })
  window = await openWindowOn(app, home)
  await writeFile(join(home, 'a.txt'), 'one\ntwo\n')
})

afterEach(async () => {
  for (const peer of peers.splice(0)) peer.dispose()
  await app.shutdown()
  await rm(home, { recursive: true, force: true, maxRetries: 5 })
})

async function connect(): Promise<Peer> {
  const ready = readyOf(window).claudeIde
  if (!ready) throw new Error('no server')
  const { authToken } = JSON.parse(await readFile(ready.lockFiles[0] ?? '', 'utf8')) as { authToken: string }
  const peer = await Peer.connect({ port: ready.port, token: authToken })
  peers.push(peer)
  return peer
}

/** Sends messages one after the other, and waits for what is answered at once. */
async function say(peer: Peer, messages: readonly Frame[]): Promise<void> {
  for (const message of messages) {
    peer.send(message)
    const isAsking = (message['params'] as { name?: string } | undefined)?.name === 'openDiff'
    if (message.id !== undefined && !isAsking) await peer.frame((frame) => frame.id === message.id)
  }
}

/** What a connection was told in answers, as the log names it. */
function answersOf(connection: string): string[] {
  return window.protocolLog
    .rows(connection)
    .rows.filter(({ direction, kind }) => direction === 'out' && kind !== 'notification')
    .map(({ kind, name }) => `${kind} ${name}`)
}

test('an exported log, replayed against the server, is answered as it was', async () => {
  const call = (id: number, name: string, args: object): Frame => ({
    jsonrpc: '2.0',
    id,
    method: 'tools/call',
    params: { name, arguments: args },
  })
  const recorded: Frame[] = [
    {
      jsonrpc: '2.0',
      id: 0,
      method: 'initialize',
      params: {
        protocolVersion: '2025-11-25',
        capabilities: {},
        clientInfo: { name: 'claude-code', version: '2.1.330' },
      },
    },
    { jsonrpc: '2.0', method: 'ide_connected', params: { pid: process.pid } },
    { jsonrpc: '2.0', id: 1, method: 'tools/list' },
    call(2, 'getOpenEditors', {}),
    call(3, 'getWorkspaceFolders', {}),
    call(4, 'openDiff', {
      old_file_path: join(home, 'a.txt'),
      new_file_path: join(home, 'a.txt'),
      new_file_contents: 'one\nnobody reads this\n',
      tab_name: '✻ [Claude Code] a.txt (a1b2c3) ⧉',
    }),
    call(5, 'no such tool', {}),
    call(6, 'openFile', { filePath: join(home, 'gone.txt') }),
    { jsonrpc: '2.0', id: 7, method: 'no/such/method' },
    { jsonrpc: '2.0', id: 8, method: 'ping' },
  ]
  await say(await connect(), recorded)
  const [first] = window.protocolLog.sources()
  const text = window.protocolLog.export(first?.id ?? '') ?? ''
  expect(text).not.toContain('nobody reads this')

  const lines = text
    .trim()
    .split('\n')
    .slice(1)
    .map((line) => JSON.parse(line) as { direction: string; frame: unknown })
  const replayed = lines.flatMap(({ direction, frame }) =>
    direction === 'in' ? [unfoldFrame(frame) as Frame] : [],
  )
  expect(replayed).toHaveLength(recorded.length)
  await say(await connect(), replayed)
  const [, second] = window.protocolLog.sources()
  expect(answersOf(second?.id ?? '')).toEqual(answersOf(first?.id ?? ''))
  expect(answersOf(second?.id ?? '')).toContain('error tools/call no such tool')
})
