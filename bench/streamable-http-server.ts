import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startCompanionServer } from '../src/main/protocols/gemini-companion/companion-server'
import { FrameParser } from '../src/main/protocols/kit/frame-parser'
import { Emitter } from '../src/shared/lifetime'

/** A process of its own with one server: ours, or the limit, which is node:http and JSON and nothing else. */

const folder = await mkdtemp(join(tmpdir(), 'greenlight-bench-'))
const path = join(folder, 'a.ts')
await writeFile(path, 'a')

const contextChanged = new Emitter<{ atOnce: boolean }>()
let line = 0

async function startOurs(): Promise<{ port: number; token: string; stop: () => Promise<void> }> {
  const frames = new FrameParser()
  const nothing = { dispose: () => undefined }
  const started = await startCompanionServer({
    frames,
    version: '0',
    places: { temporary: folder, home: folder, pid: process.pid, parentPid: 1 },
    ports: {
      review: {
        open: (_proposal, signal) =>
          new Promise((resolve) => {
            signal.addEventListener('abort', () => resolve({ kind: 'withdrawn', reason: 'answered-there' }))
          }),
        handOver: () => null,
      },
      context: {
        seen: () => ({
          files: [{ path, label: 'a.ts', languageId: 'x', isActive: true, isDirty: false, shownAt: 1 }],
          current: { path, start: { line, character: 0 }, end: { line, character: 0 }, text: '' },
          latest: null,
        }),
        onChange: contextChanged.on,
        handed: () => undefined,
      },
      folders: { folders: () => [folder], onChange: () => nothing },
      connections: {
        refused: () => undefined,
        processAt: () => Promise.resolve(undefined),
        opened: () => ({
          update: () => undefined,
          frame: () => undefined,
          say: () => undefined,
          closed: () => undefined,
        }),
      },
    },
  })
  if (!started.ok) throw new Error(started.failure.message)
  const { port, token } = started.value
  return {
    port,
    token,
    async stop() {
      await started.value.stop()
      frames.dispose()
    },
  }
}

interface Message {
  id?: number
  method: string
}

async function startLimit(): Promise<{ port: number; token: string; stop: () => Promise<void> }> {
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      if (request.method === 'GET') {
        response.writeHead(200, { 'content-type': 'text/event-stream' }).flushHeaders()
        return
      }
      const { id, method } = JSON.parse(Buffer.concat(chunks).toString()) as Message
      if (id === undefined) return void response.writeHead(202).end()
      const serverInfo = { name: 'limit', version: '0' }
      const result =
        method === 'initialize'
          ? { protocolVersion: '2025-06-18', capabilities: { tools: {} }, serverInfo }
          : { content: [{ type: 'text', text: '{}' }] }
      const text = JSON.stringify({ jsonrpc: '2.0', id, result })
      const length = Buffer.byteLength(text)
      response.writeHead(200, { 'content-type': 'application/json', 'content-length': length }).end(text)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    port,
    token: 'none',
    stop: () =>
      new Promise((resolve) => {
        server.closeAllConnections()
        server.close(() => resolve())
      }),
  }
}

const server = await (process.argv[2] === 'ours' ? startOurs() : startLimit())
process.on('message', (message) => {
  if (message === 'heap') {
    ;(globalThis as { gc?: () => void }).gc?.()
    process.send?.({ heap: process.memoryUsage().heapUsed })
  }
  if (message === 'burst') {
    // A person who moves the cursor: many changes, then rest.
    for (let i = 0; i < 30; i += 1) {
      line += 1
      contextChanged.emit({ atOnce: false })
    }
    process.send?.({ changedAt: performance.timeOrigin + performance.now() })
  }
})
process.on('disconnect', () => {
  void server
    .stop()
    .then(() => rm(folder, { recursive: true, force: true }))
    .then(() => process.exit(0))
})
process.send?.({ port: server.port, token: server.token })
