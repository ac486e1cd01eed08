import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { type Server, type Socket, connect, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { createHash } from 'node:crypto'
import { z } from 'zod'
import { type Disposable, disposable } from '../../../shared/lifetime'

/**
 * How a second start gives its folders to the process that owns the data directory: a socket that only the same user
 * can reach, one line of JSON each way.
 */

/** What the second start asks for. */
const request = z.object({ folders: z.array(z.string().min(1).max(4096)).max(100) })
export type HandOverRequest = z.infer<typeof request>

/** What the owner did: `ready` is what a --headless start would have printed, null where there is no page server. */
const answer = z.object({ pid: z.number(), ready: z.record(z.string(), z.unknown()).nullable() })
export type HandOverAnswer = z.infer<typeof answer>

const longestLine = 500_000
/** Unix socket paths end at 104 bytes on macOS and 108 on Linux. */
const longestSocketPath = 100

/** Listens for second starts until disposed. Where no socket can be made, later starts are told to go away instead. */
export async function listenForHandOver(
  dataDirectory: string,
  open: (request: HandOverRequest) => Promise<HandOverAnswer>,
): Promise<Disposable> {
  const address = chooseAddress(dataDirectory)
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    sockets.add(socket)
    socket.once('close', () => sockets.delete(socket))
    void serve(socket, open)
  })
  const listening = await listen(server, address.path)
  if (listening)
    writeFileSync(recordOf(dataDirectory), JSON.stringify({ socket: address.path }), { mode: 0o600 })
  return disposable(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
    rmSync(recordOf(dataDirectory), { force: true })
    address.release()
  })
}

/** Asks the owner to open folders. Null: nobody answers in time, or what answers is not Greenlight. */
export async function handOver(
  dataDirectory: string,
  asked: HandOverRequest,
  milliseconds = 5_000,
): Promise<HandOverAnswer | null> {
  const path = readAddress(dataDirectory)
  if (path === null) return null
  const socket = connect(path)
  socket.setTimeout(milliseconds, () => socket.destroy())
  socket.on('error', () => undefined)
  socket.write(`${JSON.stringify(asked)}\n`)
  const line = await readLine(socket)
  socket.destroy()
  return line === null ? null : parse(answer, line)
}

async function serve(
  socket: Socket,
  open: (request: HandOverRequest) => Promise<HandOverAnswer>,
): Promise<void> {
  socket.on('error', () => undefined)
  socket.setTimeout(10_000, () => socket.destroy())
  const line = await readLine(socket)
  const asked = line === null ? null : parse(request, line)
  if (asked === null) {
    socket.destroy()
    return
  }
  socket.end(`${JSON.stringify(await open(asked))}\n`)
}

function readLine(socket: Socket): Promise<string | null> {
  return new Promise((resolve) => {
    let text = ''
    socket.setEncoding('utf8')
    socket.on('data', (chunk: string) => {
      text += chunk
      const end = text.indexOf('\n')
      if (end >= 0) resolve(text.slice(0, end))
      else if (text.length > longestLine) resolve(null)
    })
    socket.on('close', () => resolve(null))
  })
}

function parse<T>(schema: z.ZodType<T>, line: string): T | null {
  try {
    return schema.parse(JSON.parse(line))
  } catch {
    return null
  }
}

function listen(server: Server, path: string): Promise<boolean> {
  return new Promise((resolve) => {
    server.once('error', () => resolve(false))
    server.listen(path, () => resolve(true))
  })
}

function recordOf(dataDirectory: string): string {
  return join(dataDirectory, 'hand-over.json')
}

function readAddress(dataDirectory: string): string | null {
  try {
    return z.object({ socket: z.string() }).parse(JSON.parse(readFileSync(recordOf(dataDirectory), 'utf8')))
      .socket
  } catch {
    return null
  }
}

/** A socket in the data directory; where its path is too long for the system, in a folder that only we can enter. */
function chooseAddress(dataDirectory: string): { path: string; release: () => void } {
  if (process.platform === 'win32') {
    const name = createHash('sha256').update(dataDirectory).digest('hex').slice(0, 32)
    return { path: `\\\\.\\pipe\\greenlight-${name}`, release: () => undefined }
  }
  const near = join(dataDirectory, 'hand-over.sock')
  if (Buffer.byteLength(near) <= longestSocketPath) {
    // We hold the lock, so a socket file that is left is from a process that died.
    rmSync(near, { force: true })
    return { path: near, release: () => rmSync(near, { force: true }) }
  }
  const far = join(mkdtempSync(join(tmpdir(), 'greenlight-')), 's')
  return { path: far, release: () => rmSync(dirname(far), { recursive: true, force: true }) }
}
