import type { IncomingMessage, ServerResponse } from 'node:http'
import { WebSocketServer } from 'ws'
import {
  openLoopbackServer,
  type Refusal,
  type RefusalBody,
  refuseUpgrade,
  sendRefusal,
  type TakeUpgrade,
} from '../../core/net/loopback-server'
import { isSameSecret } from '../../core/net/secret'
import type { PortChoice } from '../../core/net/free-port'
import { DisposableStack, disposable, type Disposable } from '../../../shared/lifetime'
import { succeed, type Result } from '../../../shared/result'
import type { FrameParser } from '../kit/frame-parser'
import type { RecordedSession, SessionServerPorts } from './ports'
import { readRequest, sessionsPath, tokenOf } from './session-request'
import { SessionRoom } from './session-room'
import { usualPatience, type Patience } from './subscriber'

/** A larger message of a client ends its connection with 1009. In bytes. */
const maxMessage = 8 * 1024 * 1024
/** More subscribers at once are refused. */
const mostSubscribers = 200

/** How a server is started. */
export interface SessionServerOptions {
  ports: SessionServerPorts
  /** Parses large messages; owned by the caller. */
  frames: FrameParser
  port: PortChoice
  token: string
  patience?: Patience
}

/** A running server: one per data directory. Its disposal closes every connection and frees the port. */
export interface SessionServer extends Disposable {
  port: number
  /** Where the sessions are listed. */
  url: string
  /** How many follow a session now. */
  readonly subscribers: number
  /** Settles when the port is free again after disposal. */
  closed: Promise<void>
}

/** Starts the server by which other programs read and follow sessions (docs/protocols/session-server.md). */
export async function startSessionServer(options: SessionServerOptions): Promise<Result<SessionServer>> {
  const { ports, frames, token, patience = usualPatience } = options
  const rooms = new Map<string, SessionRoom>()
  const owned = new DisposableStack()
  const upgrader = new WebSocketServer({
    noServer: true,
    clientTracking: false,
    maxPayload: maxMessage,
    // One message of each client in a turn: a flood of one is not taken before the next message of another.
    allowSynchronousEvents: false,
    perMessageDeflate: {
      // On one computer compressing takes longer than sending; it pays off through a tunnel. With a context that is
      // kept, ws would compress every message, however short.
      serverNoContextTakeover: true,
      threshold: 8 * 1024,
      zlibDeflateOptions: { level: 1 },
    },
  })
  const countSubscribers = (): number => [...rooms.values()].reduce((sum, room) => sum + room.size, 0)

  const isKnown = (request: IncomingMessage): boolean =>
    isSameSecret(tokenOf(request.url ?? '/', request.headers.authorization), token)

  const roomOf = (session: RecordedSession): SessionRoom => {
    const known = rooms.get(session.id)
    if (known) return known
    const onEmpty = () => {
      rooms.delete(session.id)
      room.dispose()
    }
    const room: SessionRoom = new SessionRoom({ session, ports, frames, patience, onEmpty })
    rooms.set(session.id, room)
    return room
  }

  const onUpgrade = (request: IncomingMessage): Refusal | TakeUpgrade => {
    return (socket, head) => {
      const refuse = (refusal: Refusal): void => {
        ports.subscribers.refused(refusal.status, refusal.message)
        refuseUpgrade(socket, refusal, inJson(refusal))
      }
      if (!isKnown(request)) return refuse(unknownToken)
      const asked = readRequest(request.url ?? '/')
      if ('status' in asked) return refuse(asked)
      if (asked.kind !== 'subscribe') return refuse(notHere)
      if (countSubscribers() >= mostSubscribers) return refuse(tooMany)
      void ports.sessions.find(asked.id).then((found) => {
        const session = found ?? ports.sessions.toBegin(asked.id)
        if (!session) return refuse(notFound)
        if (socket.destroyed) return
        upgrader.handleUpgrade(request, socket, head, (webSocket) =>
          roomOf(session).add(webSocket, asked.wish),
        )
      })
    }
  }

  const onRequest = (request: IncomingMessage, response: ServerResponse): void => {
    const { origin } = request.headers
    if (origin !== undefined) allowOrigin(response, origin)
    // A browser asks before it sends the token; nobody else needs this.
    if (request.method === 'OPTIONS' && origin !== undefined) return void response.writeHead(204).end()
    if (request.method === 'OPTIONS') return refuseMethod(response)
    if (!isKnown(request)) {
      ports.subscribers.refused(unknownToken.status, unknownToken.message)
      response.setHeader('www-authenticate', 'Bearer')
      return refuse(response, unknownToken)
    }
    const asked = readRequest(request.url ?? '/')
    if ('status' in asked) return refuse(response, asked)
    if (request.method !== 'GET' && request.method !== 'HEAD') return refuseMethod(response)
    switch (asked.kind) {
      case 'list':
        void ports.sessions.list().then((all) => sendJson(response, 200, { sessions: all.map(describe) }))
        return
      case 'session':
        void ports.sessions.find(asked.id).then((session) => {
          if (session) sendJson(response, 200, describe(session))
          else refuse(response, notFound)
        })
        return
      case 'subscribe':
        response.setHeader('upgrade', 'websocket')
        return refuse(response, { status: 426, message: 'Connect here with a WebSocket.' })
    }
  }

  const opened = await openLoopbackServer({
    port: options.port,
    origins: 'own',
    moreOrigins: () => ports.origins(),
    onRequest,
    onUpgrade,
    refusalBody: inJson,
    onRefused: ({ status, message }) => ports.subscribers.refused(status, message),
  })
  if (!opened.ok) return opened
  const server = owned.add(opened.value)
  // Last in, first out: subscribers hear why before their connections end.
  owned.add(disposable(() => [...rooms.values()].forEach((room) => room.dispose())))
  const pinging = setInterval(() => rooms.forEach((room) => void room.ping()), patience.ping).unref()
  owned.add(disposable(() => clearInterval(pinging)))

  return succeed({
    port: server.port,
    url: `${server.url}${sessionsPath}`,
    closed: server.closed,
    get subscribers() {
      return countSubscribers()
    },
    dispose: () => owned.dispose(),
  })
}

const jsonType = 'application/json; charset=utf-8'

const unknownToken: Refusal = {
  status: 401,
  message:
    'The token is missing or wrong. It is in the file session-server.token of Greenlight’s data directory.',
}
const notFound: Refusal = { status: 404, message: 'Session not found' }
const notHere: Refusal = { status: 404, message: 'There is nothing to subscribe to at this address.' }
const tooMany: Refusal = { status: 503, message: 'Too many programs are already following sessions.' }

/** A session as JSON: times in ISO 8601, as in its lines. */
function describe(session: RecordedSession): Record<string, unknown> {
  const { id, title, firstPrompt, folder, branch, startedAt, lastAt, activity, running, figures } = session
  return {
    id,
    title,
    firstPrompt,
    workingDir: folder,
    branch,
    createdAt: startedAt === null ? null : new Date(startedAt).toISOString(),
    lastActivity: new Date(lastAt).toISOString(),
    messageCount: figures?.messages ?? null,
    status: activity,
    isRunning: running !== null,
  }
}

function allowOrigin(response: ServerResponse, origin: string): void {
  response.setHeader('access-control-allow-origin', origin)
  response.setHeader('access-control-allow-headers', 'authorization')
  response.setHeader('access-control-allow-methods', 'GET')
  response.setHeader('vary', 'origin')
}

function sendJson(response: ServerResponse, status: number, value: unknown): void {
  response
    .writeHead(status, {
      'content-type': jsonType,
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'no-referrer',
    })
    .end(JSON.stringify(value))
}

function refuse(response: ServerResponse, refusal: Refusal): void {
  sendRefusal(response, refusal, inJson(refusal))
}

function refuseMethod(response: ServerResponse): void {
  response.setHeader('allow', 'GET, HEAD')
  refuse(response, { status: 405, message: 'Only GET is answered here.' })
}

function inJson({ message }: Refusal): RefusalBody {
  return { type: jsonType, text: JSON.stringify({ type: 'error', error: message }) }
}
