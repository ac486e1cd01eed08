import { createServer, STATUS_CODES, type IncomingMessage, type ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import type { Disposable } from '../../../shared/lifetime'
import { succeed, type Result } from '../../../shared/result'
import { listenOnLoopback, type PortChoice } from './free-port'

/** A refusal with its HTTP status and a sentence for whoever reads the response. */
export interface Refusal {
  status: number
  message: string
}

/** What a refused client receives. */
export interface RefusalBody {
  /** Media type. */
  type: string
  text: string
}

/** Takes over an upgraded connection. */
export type TakeUpgrade = (socket: Duplex, head: Buffer) => void

/** What a loopback server accepts, and what it does with it. */
export interface LoopbackOptions {
  port: PortChoice
  /** Names that the Host header may have, each with exactly our port. Default: 127.0.0.1 and localhost. */
  hosts?: readonly ('127.0.0.1' | 'localhost')[]
  /**
   * Which Origin headers are accepted. A page in any browser can reach loopback, and browsers always send its origin:
   * `none` refuses every request that has one, `own` allows only pages that this server served.
   */
  origins: 'none' | 'own'
  /** Further origins that the person has named, read for each request. */
  moreOrigins?: () => readonly string[]
  /** Answers an ordinary request. Default: 404. */
  onRequest?: (request: IncomingMessage, response: ServerResponse) => void
  /** Decides on an upgrade (a WebSocket) whose Host and Origin are accepted. Default: 404. */
  onUpgrade?: (request: IncomingMessage) => Refusal | TakeUpgrade
  /** Makes a refusal's body. Default: its sentence as plain text. */
  refusalBody?: (refusal: Refusal) => RefusalBody
  /** Called with every refusal, for a log. It never contains a header's value. */
  onRefused?: (refusal: Refusal) => void
}

/** A running server. Disposing of it ends every connection immediately and frees the port. */
export interface LoopbackServer extends Disposable {
  port: number
  /** The URL to show, with the address instead of a name. */
  url: string
  /** Settles when the port is free after `dispose`. */
  closed: Promise<void>
}

/** How long a client may take to send a request's head, in milliseconds. */
const headTimeout = 10_000
/** How many connections may be open; an agent needs one or two, the session server accepts 200. */
const mostConnections = 400
/**
 * Only its request tells who a client is. Of the connections that have sent nothing for this long, in milliseconds, at
 * most `mostSilent` stay open.
 */
const silence = 1000
const mostSilent = 16

/**
 * Opens an HTTP server that only this machine can reach (127.0.0.1, never another interface). Every request and upgrade
 * is checked first: a Host that is not ours is refused with 403, because a foreign page's name that resolves to
 * loopback (DNS rebinding) is still sent as Host; so is an Origin that is not allowed.
 */
export async function openLoopbackServer(options: LoopbackOptions): Promise<Result<LoopbackServer>> {
  const { refusalBody = plainText } = options
  const sockets = new Set<Socket>()
  const silent = new Set<Socket>()
  let hosts: readonly string[] = []
  let origins: readonly string[] = []

  const check = (request: IncomingMessage): Refusal | undefined => {
    const { host, origin } = request.headers
    if (host === undefined || !hosts.includes(host.toLowerCase())) {
      return { status: 403, message: 'The Host header does not name this server.' }
    }
    if (origin !== undefined && !origins.includes(origin) && !options.moreOrigins?.().includes(origin)) {
      return { status: 403, message: 'Requests from this origin are not allowed.' }
    }
    return undefined
  }

  const server = createServer((request, response) => {
    silent.delete(request.socket)
    const refusal = check(request) ?? (options.onRequest ? undefined : notFound)
    if (refusal) {
      options.onRefused?.(refusal)
      return sendRefusal(response, refusal, refusalBody(refusal))
    }
    options.onRequest?.(request, response)
  })
  server.headersTimeout = headTimeout
  server.maxConnections = mostConnections
  server.on('connection', (socket) => {
    sockets.add(socket)
    socket.once('close', () => {
      sockets.delete(socket)
      silent.delete(socket)
    })
    silent.add(socket)
    const cut = () => {
      if (silent.size > mostSilent && silent.delete(socket)) socket.destroy()
    }
    // What has come while this process was held is read first.
    setTimeout(() => setImmediate(cut), silence).unref()
  })
  server.on('clientError', (_error, socket) => {
    if (socket.writable)
      socket.end('HTTP/1.1 400 Bad Request\r\nConnection: close\r\nContent-Length: 0\r\n\r\n')
    else socket.destroy()
  })
  server.on('upgrade', (request, socket, head) => {
    silent.delete(request.socket)
    // A connection that is reset before anyone listens must not end the process.
    socket.on('error', () => socket.destroy())
    const answer = check(request) ?? options.onUpgrade?.(request) ?? notFound
    if (typeof answer === 'function') return answer(socket, head)
    options.onRefused?.(answer)
    refuseUpgrade(socket, answer, refusalBody(answer))
  })

  const listening = await listenOnLoopback(server, options.port)
  if (!listening.ok) return listening
  // Without free descriptors the system can't accept a connection; the others go on.
  server.on('error', () => undefined)
  const port = listening.value
  hosts = (options.hosts ?? ['127.0.0.1', 'localhost']).map((name) => `${name}:${port}`)
  if (options.origins === 'own') origins = hosts.map((host) => `http://${host}`)

  let finish: () => void = () => undefined
  const closed = new Promise<void>((resolve) => {
    finish = resolve
  })
  let disposed = false
  return succeed({
    port,
    url: `http://127.0.0.1:${port}`,
    closed,
    dispose() {
      if (disposed) return
      disposed = true
      server.close(() => finish())
      for (const socket of sockets) socket.destroy()
    },
  })
}

const notFound: Refusal = { status: 404, message: 'There is nothing at this address.' }

function plainText({ message }: Refusal): RefusalBody {
  return { type: 'text/plain; charset=utf-8', text: `${message}\n` }
}

/** Sends a refusal, by default as plain text, and closes the connection. */
export function sendRefusal(
  response: ServerResponse,
  refusal: Refusal,
  { type, text }: RefusalBody = plainText(refusal),
): void {
  response.writeHead(refusal.status, { 'content-type': type, connection: 'close' }).end(text)
}

/** Refuses an upgrade and closes the connection. */
export function refuseUpgrade(socket: Duplex, { status }: Refusal, { type, text }: RefusalBody): void {
  socket.end(
    `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? 'Refused'}\r\n` +
      'Connection: close\r\n' +
      `Content-Type: ${type}\r\n` +
      `Content-Length: ${Buffer.byteLength(text)}\r\n\r\n${text}`,
  )
}
