import { mkdtemp, rm } from 'node:fs/promises'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { WebSocketServer } from 'ws'
import { startClaudeIdeServer } from '../src/main/protocols/claude-ide/claude-ide-server'
import type { ClaudeIdePorts } from '../src/main/protocols/claude-ide/claude-connection'
import { claudeTools } from '../src/main/protocols/claude-ide/tools'
import { FileWatcher } from '../src/main/core/files/watcher'
import { FrameParser } from '../src/main/protocols/kit/frame-parser'

/** A process of its own with one server: ours, or the limit, which is ws and JSON and nothing else. */

const nothing = { dispose: () => undefined }

const ports: ClaudeIdePorts = {
  review: {
    open: (_proposal, signal) =>
      new Promise((resolve) => {
        signal.addEventListener('abort', () => resolve({ kind: 'withdrawn', reason: 'answered-there' }))
      }),
    questionClosed: () => undefined,
  },
  context: {
    seen: () => ({ files: [], current: null, latest: null }),
    settle: () => Promise.resolve(),
    onSelection: () => nothing,
    mayMention: () => true,
    handed: () => undefined,
  },
  editor: {
    open: () => Promise.resolve({ ok: true, value: { languageId: 'plaintext', lineCount: 1 } }),
    dirtyState: () => undefined,
    save: () => undefined,
    closeTab: () => Promise.resolve(),
  },
  folders: { folders: () => [{ name: 'p', path: '/p' }], onChange: () => nothing },
  diagnostics: { diagnostics: (path) => Promise.resolve([{ path: path ?? '/p', diagnostics: [] }]) },
  connections: {
    refused: () => undefined,
    opened: () => ({
      update: () => undefined,
      frame: () => undefined,
      say: () => undefined,
      closed: () => undefined,
    }),
  },
}

async function startOurs(): Promise<{ port: number; token: string; stop: () => Promise<void> }> {
  const home = await mkdtemp(join(tmpdir(), 'greenlight-bench-'))
  const frames = new FrameParser()
  const watcher = new FileWatcher()
  const started = await startClaudeIdeServer({ ports, frames, watcher, version: '0', home })
  if (!started.ok) throw new Error(started.failure.message)
  const { port, token } = started.value
  return {
    port,
    token,
    async stop() {
      started.value.dispose()
      watcher.dispose()
      frames.dispose()
      await rm(home, { recursive: true, force: true })
    },
  }
}

interface Message {
  id?: number
  method: string
  params: { name?: string; arguments?: { tab_name?: string; uri?: string } }
}

async function startLimit(): Promise<{ port: number; token: string; stop: () => Promise<void> }> {
  const server = new WebSocketServer({ host: '127.0.0.1', port: 0, handleProtocols: () => 'mcp' })
  const tools = claudeTools.map(({ name, description, inputSchema }) => ({ name, description, inputSchema }))
  server.on('connection', (socket) => {
    let open: number | undefined
    socket.on('message', (data: Buffer) => {
      const { id, method, params } = JSON.parse(data.toString()) as Message
      if (id === undefined) return
      const answer = (result: unknown, to = id): void =>
        socket.send(JSON.stringify({ jsonrpc: '2.0', id: to, result }))
      const text = (value: string, to = id): void => answer({ content: [{ type: 'text', text: value }] }, to)
      if (method === 'initialize') {
        const serverInfo = { name: 'limit', version: '0' }
        answer({ protocolVersion: '2025-11-25', capabilities: { tools: {} }, serverInfo })
      } else if (method === 'tools/list') answer({ tools })
      else if (params.name === 'openDiff') open = id
      else if (params.name === 'close_tab') {
        text('TAB_CLOSED')
        if (open !== undefined) text('DIFF_REJECTED', open)
      } else text(JSON.stringify([{ uri: params.arguments?.uri, diagnostics: [] }]))
    })
  })
  await new Promise((resolve) => server.once('listening', resolve))
  const { port } = server.address() as AddressInfo
  return { port, token: '', stop: () => new Promise((resolve) => server.close(() => resolve())) }
}

const server = await (process.argv[2] === 'ours' ? startOurs() : startLimit())
process.on('message', (message) => {
  if (message === 'memory') {
    ;(globalThis as { gc?: () => void }).gc?.()
    process.send?.({ memory: process.memoryUsage().rss })
  }
})
process.on('disconnect', () => {
  void server.stop().then(() => process.exit(0))
})
process.send?.({ port: server.port, token: server.token })
