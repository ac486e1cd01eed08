import { randomBytes, randomUUID } from 'node:crypto'
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { type AddressInfo, type Socket, createServer } from 'node:net'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { z } from 'zod'
import type { AgentConnections } from '../../src/main/app/dialect-kit/agent-connections'
import { succeed } from '../../src/shared/result'
import type { Verbs } from './verbs'

export const scriptedId = 'scripted'

/** Where a window's server says how it is found: a file per port in the home. */
export const scriptedFolder = (home: string) => join(home, '.scripted-agent')

const hello = z.object({
  token: z.string(),
  agent: z.string(),
  pid: z.number().int(),
  session: z.string().optional(),
})
const request = z.union([
  z.object({ id: z.number().int(), verb: z.string(), params: z.unknown() }),
  z.object({ cancel: z.number().int() }),
])

/** A server of one window for scripted agents: JSON lines on the loopback interface. */
export async function startScriptedServer(
  home: string,
  folders: readonly string[],
  verbs: Verbs,
  connections: AgentConnections,
) {
  const token = randomBytes(16).toString('hex')
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    sockets.add(socket)
    socket.once('close', () => sockets.delete(socket))
    serve(socket, token, verbs, connections)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const file = join(scriptedFolder(home), `${port}.json`)
  mkdirSync(scriptedFolder(home), { recursive: true })
  writeFileSync(file, JSON.stringify({ port, token, folders }), { mode: 0o600 })
  return succeed({
    port,
    token,
    file,
    rewriteFiles: () => Promise.resolve(succeed({})),
    dispose() {
      rmSync(file, { force: true })
      for (const socket of sockets) socket.destroy()
      server.close()
    },
  })
}

/** One agent: its first line says who it is, every other one calls a verb or cancels a call. */
function serve(socket: Socket, token: string, verbs: Verbs, connections: AgentConnections): void {
  const id = randomUUID()
  const ended = new AbortController()
  const calls = new Map<number, AbortController>()
  let known: z.infer<typeof hello> | null = null
  let entry: ReturnType<AgentConnections['opened']> | null = null

  const write = (value: object) => {
    const line = JSON.stringify(value)
    entry?.frame('out', line, Buffer.byteLength(line))
    if (socket.writable) socket.write(`${line}\n`)
  }
  const run = async (call: number, verb: string, params: unknown, who: z.infer<typeof hello>) => {
    const cancelled = new AbortController()
    calls.set(call, cancelled)
    try {
      const value = await verbs[verb]?.({
        params,
        signal: AbortSignal.any([ended.signal, cancelled.signal]),
        origin: {
          dialect: scriptedId,
          connection: id,
          agent: who.agent,
          pid: who.pid,
          ...(who.session === undefined ? {} : { session: who.session }),
          call: String(call),
        },
        tell: (event, told) => write({ event, value: told }),
      })
      write({ id: call, value: value ?? null })
    } catch (error) {
      write({ id: call, error: String(error) })
    } finally {
      calls.delete(call)
    }
  }

  createInterface({ input: socket }).on('line', (line) => {
    if (known === null) {
      const said = hello.safeParse(JSON.parse(line))
      if (!said.success || said.data.token !== token) return void socket.destroy()
      known = said.data
      entry = connections.opened({ id, agent: known.agent, pid: known.pid, since: Date.now() })
      return write({ event: 'welcome', value: id })
    }
    entry?.frame('in', line, Buffer.byteLength(line))
    const asked = request.parse(JSON.parse(line))
    if ('cancel' in asked) return calls.get(asked.cancel)?.abort()
    void run(asked.id, asked.verb, asked.params, known)
  })
  socket.on('error', () => socket.destroy())
  socket.once('close', () => {
    ended.abort()
    entry?.closed()
  })
}
