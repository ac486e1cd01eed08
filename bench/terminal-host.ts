import { createReadStream, existsSync } from 'node:fs'
import { type IncomingMessage, type ServerResponse, createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { extname, join, normalize } from 'node:path'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { spawn } from 'node-pty'
import { type WebSocket, WebSocketServer } from 'ws'
import { Terminals } from '../src/main/core/terminal/terminals'
import { channelOfSocket } from '../src/main/headless/socket-channel'
import type { Calls, Topics } from '../src/shared/contract/contract'
import { terminalsCalls, terminalsTopics } from '../src/shared/contract/terminals'
import { succeed } from '../src/shared/result'
import { type CallHandlers, type TopicHandlers, serveRpc } from '../src/shared/rpc/rpc'
import { disposable } from '../src/shared/lifetime'

/**
 * The benchmark's host, a process of its own: the app's terminals over the app's contract at /ours, and a bare pty on a
 * socket with flow control at /bare. Arguments: the folder with the page and the data. Tells its port over IPC, and on
 * request its memory and the delays of its event loop.
 */
const [, , folder = '.'] = process.argv
const types: Record<string, string> = {
  '.html': 'text/html',
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.txt': 'text/plain',
}
/** A script is a file beside the page, asked for by its name. */
const bashArgs = (script: string) => ['--norc', '--noprofile', join(folder, `${script}.sh`)]

const terminals = new Terminals({
  launch: async (script) => succeed({ title: 'bench', program: '/bin/bash', args: bashArgs(script) }),
  environment: async () => process.env,
  variables: () => ({}),
  programs: () => null,
  front: () => null,
  integrate: ({ args }, env) => ({ args, env }),
  folders: () => [folder],
  home: folder,
  version: '0',
  report: (error) => console.error(error),
})

type Names = keyof typeof terminalsCalls & keyof Calls
const calls: CallHandlers<Pick<Calls, Names>> = {
  'terminals.create': (request) => terminals.create(request),
  'terminals.write': ({ id, data }) => (terminals.write(id, data), {}),
  'terminals.resize': ({ id, columns, rows }) => (terminals.get(id)?.resize(columns, rows), {}),
  'terminals.acknowledge': ({ id, length }) => (terminals.get(id)?.acknowledge(length), {}),
  'terminals.restart': ({ id }) => terminals.restart(id),
  'terminals.rename': () => ({}),
  'terminals.seen': () => ({}),
  'terminals.close': async ({ id }) => (await terminals.close(id), {}),
  'terminals.resolveLinks': async ({ id, words }) => ({ paths: await terminals.resolveLinks(id, words) }),
}
const topics: TopicHandlers<Pick<Topics, 'terminals' | 'terminal'>> = {
  terminals: () => disposable(() => undefined),
  terminal: ({ id }, sink) => terminals.show(id, sink),
}

function serveOurs(socket: WebSocket): void {
  serveRpc(channelOfSocket(socket), {
    calls,
    topics,
    schemas: { calls: terminalsCalls, topics: terminalsTopics },
    report: (name, error) => console.error(name, error),
  })
  socket.on('close', () => void terminals.closeAll(200))
}

function serveBare(socket: WebSocket, query: URLSearchParams): void {
  const pty = spawn('/bin/bash', bashArgs(query.get('script') ?? ''), {
    name: 'xterm-256color',
    cols: Number(query.get('columns')),
    rows: Number(query.get('rows')),
    cwd: folder,
    env: { PATH: process.env.PATH ?? '', LC_ALL: 'C.UTF-8' },
  })
  let waiting = ''
  let timer: NodeJS.Timeout | null = null
  let unparsed = 0
  let paused = false
  pty.onData((text) => {
    waiting += text
    timer ??= setTimeout(() => {
      timer = null
      socket.send(waiting)
      unparsed += waiting.length
      waiting = ''
      if (!paused && unparsed > 512 << 10) {
        paused = true
        pty.pause()
      }
    }, 4)
  })
  socket.on('message', (data: Buffer) => {
    const text = data.toString()
    if (text.startsWith('i')) return pty.write(text.slice(1))
    unparsed -= Number(text.slice(1))
    if (paused && unparsed <= 512 << 10) {
      paused = false
      pty.resume()
    }
  })
  socket.on('close', () => pty.kill('SIGKILL'))
}

function answer(request: IncomingMessage, response: ServerResponse): void {
  const { pathname } = new URL(request.url ?? '/', 'http://localhost')
  const path = join(folder, normalize(pathname === '/' ? '/index.html' : pathname))
  if (!path.startsWith(folder) || !existsSync(path)) return void response.writeHead(404).end()
  response.writeHead(200, { 'content-type': types[extname(path)] ?? 'application/octet-stream' })
  createReadStream(path).pipe(response)
}

const server = createServer(answer)
const sockets = new WebSocketServer({ noServer: true, perMessageDeflate: false, maxPayload: 64 << 20 })
server.on('upgrade', (request, socket, head) => {
  const url = new URL(request.url ?? '/', 'http://localhost')
  sockets.handleUpgrade(request, socket, head, (opened) => {
    if (url.pathname === '/ours') serveOurs(opened)
    else serveBare(opened, url.searchParams)
  })
})
const delays = monitorEventLoopDelay({ resolution: 1 })
delays.enable()
process.on('message', (message) => {
  if (message === 'begin') {
    globalThis.gc?.()
    delays.reset()
  }
  process.send?.({
    memory: process.memoryUsage().rss,
    delay: delays.percentile(99) / 1e6,
    worst: delays.max / 1e6,
  })
})
process.on('disconnect', () => {
  void terminals.closeAll(200).finally(() => process.exit())
})
server.listen(0, '127.0.0.1', () => process.send?.({ port: (server.address() as AddressInfo).port }))
