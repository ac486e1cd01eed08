import { isUtf8 } from 'node:buffer'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { setTimeout as pause } from 'node:timers/promises'
import type { PortChoice } from '../../core/net/free-port'
import { openLoopbackServer } from '../../core/net/loopback-server'
import { readBody, refuseUnread } from '../../core/net/request-body'
import { bearerOf } from '../../core/net/secret'
import { parseJson } from '../../../shared/json'
import { succeed, type Result } from '../../../shared/result'
import { largeFrame, type FrameParser } from './frame-parser'
import { HttpSession, type HttpClient, type HttpLink, type SessionPatience } from './http-session'
import { errorText, rpcErrors } from './json-rpc'
import { loggedPart } from './logged-text'
import type { McpMethods } from './mcp-methods'
import { notJson } from './mcp-session'

/** The largest body that is taken, in bytes; a larger one is answered with an error and its connection closed. */
export const maxBody = 64 * 1024 * 1024

/** The one path that is served. */
const mcpPath = '/mcp'

/** There are no more sessions than this at once. */
const mostSessions = 1000

/** What a server over HTTP needs. */
export interface McpHttpOptions<Context, Holder> {
  port: PortChoice
  methods: McpMethods<Context>
  /** Parses large bodies; owned by the caller, may serve several servers. */
  frames: FrameParser
  /** Whose token this is; undefined for none of ours. Must not tell by its time how much of one is right. */
  holderOf(token: string | undefined): Holder | undefined
  /** A client begins a session. */
  begin(link: HttpLink<Holder>): HttpClient<Context>
  /** A request was refused; a sentence for the log. */
  onRefused?(status: number, message: string): void
  /** A client sent more than `maxBody`. */
  onTooLarge?(link: HttpLink<Holder> | undefined): void
  patience?: SessionPatience
  /** Milliseconds between two signs of life on each stream; clients cut a silent one after five minutes. */
  keepAlive?: number
}

/** A running server. */
export interface McpHttpServer {
  port: number
  /** How many sessions there are. */
  readonly sessions: number
  /** Stops: sends what is still to be sent, for half a second at most, then closes everything and frees the port. */
  stop(): Promise<void>
}

const usualPatience: SessionPatience = { afterStream: 10_000, beforeStream: 120_000 }
const flushTime = 500

/**
 * Serves MCP over Streamable HTTP on 127.0.0.1 (MCP 2025-11-25, "Transports"): every message of a client is a POST and
 * is answered in its response, notifications go out on the stream of a GET, a session is named by `mcp-session-id`.
 * Each session is served apart from all others.
 */
export async function openMcpHttpServer<Context, Holder>(
  options: McpHttpOptions<Context, Holder>,
): Promise<Result<McpHttpServer>> {
  const { methods, frames, patience = usualPatience, keepAlive = 15_000 } = options
  const sessions = new Map<string, HttpSession<Context, Holder>>()
  let stopped = false
  const tick = Math.min(1000, patience.afterStream / 2, keepAlive)
  /** While there are sessions. */
  let timer: NodeJS.Timeout | undefined
  let kept = 0

  const look = (): void => {
    const now = Date.now()
    for (const session of sessions.values()) if (session.isGone(now)) session.dispose()
    if (now - kept < keepAlive) return
    kept = now
    for (const session of sessions.values()) session.keepAlive(now)
  }

  const onRequest = (request: IncomingMessage, response: ServerResponse): void => {
    const holder = options.holderOf(bearerOf(request.headers.authorization))
    if ((request.url ?? '/').split('?')[0] !== mcpPath)
      return refuse(404, 'There is nothing at this address.')
    if (holder === undefined) {
      response.setHeader('www-authenticate', 'Bearer')
      return refuse(401, 'The token is missing or wrong. It is in the discovery file of this port.')
    }
    const id = request.headers['mcp-session-id']
    const session = typeof id === 'string' ? sessions.get(id) : undefined
    if (session === undefined && (id !== undefined || request.method !== 'POST')) {
      return refuse(400, 'There is no such session. Begin one with initialize.')
    }
    switch (request.method) {
      case 'POST':
        if (!/^application\/json\b/i.test(request.headers['content-type'] ?? '')) {
          return refuse(415, 'A message must be application/json.')
        }
        return void take(request, response, session, holder).catch(() => response.destroy())
      case 'GET':
        if (!accepts(request, 'text/event-stream')) return refuse(406, 'The stream is text/event-stream.')
        return listen(request, response, session)
      case 'DELETE':
        session?.dispose()
        return void response.writeHead(200).end()
      default:
        response.setHeader('allow', 'GET, POST, DELETE')
        return refuse(405, 'Only GET, POST and DELETE are served.')
    }

    function refuse(status: number, message: string): void {
      options.onRefused?.(status, message)
      refuseRequest(request, response, status, message)
    }
  }

  async function take(
    request: IncomingMessage,
    response: ServerResponse,
    session: HttpSession<Context, Holder> | undefined,
    holder: Holder,
  ): Promise<void> {
    const read = await readBody(request, maxBody)
    if (!read.ok) {
      if (read.failure.code === 'broken-off') return void response.destroy()
      options.onTooLarge?.(session)
      const message = `A message may have ${maxBody / 1024 / 1024} MB at most.`
      return refuseRequest(request, response, 413, message)
    }
    const body = read.value
    // One that waits with us may have begun to be parsed when we are woken.
    while (session?.parsing !== undefined) await session.parsing
    let value: unknown
    if (body.length <= largeFrame) {
      const text = body.toString('utf8')
      session?.hear('in', text, body.length)
      value = isUtf8(body) ? parseJson(text) : undefined
    } else {
      session?.hear('in', body.toString('utf8', 0, loggedPart), body.length)
      const parse = frames.parse(body)
      if (session !== undefined) session.parsing = parse
      const parsed = await parse
      if (session?.parsing === parse) session.parsing = undefined
      if (!parsed.ok) {
        const message = 'The message could not be read. Please try again.'
        return send(response, 500, errorText(null, { code: rpcErrors.internal, message }))
      }
      value = parsed.value
    }
    if (value === undefined) return send(response, 400, notJson)
    if (session !== undefined) {
      if (sessions.has(session.id)) return answerIn(request, response, session, value)
      // It ended while the body came: 202 would say that there is nothing to answer.
      const message = 'There is no such session. Begin one with initialize.'
      return send(response, 400, errorText(null, { code: rpcErrors.invalidRequest, message }))
    }
    if (!isInitialize(value)) {
      const message = 'There is no session yet. Begin one with initialize.'
      options.onRefused?.(400, message)
      return send(response, 400, errorText(null, { code: rpcErrors.invalidRequest, message }))
    }
    if (stopped || !hasRoom()) {
      const message = 'No further session can be begun. Try again later.'
      return send(response, 503, errorText(null, { code: rpcErrors.internal, message }))
    }
    const begun: HttpSession<Context, Holder> = new HttpSession({
      holder,
      clientPort: request.socket.remotePort,
      patience,
      onEnd: () => {
        sessions.delete(begun.id)
        if (sessions.size > 0) return
        clearInterval(timer)
        timer = undefined
      },
    })
    sessions.set(begun.id, begun)
    timer ??= setInterval(look, tick).unref()
    begun.serve(methods, options.begin(begun))
    begun.hear('in', body.toString('utf8', 0, Math.min(body.length, largeFrame)), body.length)
    response.setHeader('mcp-session-id', begun.id)
    answerIn(request, response, begun, value)
  }

  /** The oldest that never listened gives way: a client that begins ever more sessions keeps nobody else out. */
  function hasRoom(): boolean {
    if (sessions.size < mostSessions) return true
    const idle = [...sessions.values()].find((session) => session.isUnused)
    idle?.dispose()
    return idle !== undefined
  }

  function listen(
    request: IncomingMessage,
    response: ServerResponse,
    session: HttpSession<Context, Holder> | undefined,
  ): void {
    const lastSeen = Number(request.headers['last-event-id'] ?? Number.NaN)
    response.writeHead(200, {
      'content-type': 'text/event-stream',
      'cache-control': 'no-cache, no-transform',
    })
    response.flushHeaders()
    session?.attach(response, Number.isSafeInteger(lastSeen) && lastSeen >= 0 ? lastSeen : undefined)
  }

  const opened = await openLoopbackServer({
    port: options.port,
    origins: 'none',
    onRequest,
    onRefused: ({ status, message }) => options.onRefused?.(status, message),
  })
  if (!opened.ok) return opened
  const server = opened.value

  return succeed({
    port: server.port,
    get sessions() {
      return sessions.size
    },
    async stop() {
      if (stopped) return
      stopped = true
      clearInterval(timer)
      const finished = Promise.all([...sessions.values()].map((session) => session.finish()))
      await Promise.race([finished, pause(flushTime, undefined, { ref: false })])
      server.dispose()
      await server.closed
    },
  })
}

/** Answers in the kind that the client takes: plain JSON where it may, else a stream of one event. */
function answerIn<Context, Holder>(
  request: IncomingMessage,
  response: ServerResponse,
  session: HttpSession<Context, Holder>,
  value: unknown,
): void {
  session.receive(value, (text) => {
    if (response.writableEnded || response.destroyed) return
    if (text === undefined) return void response.writeHead(202).end()
    session.hear('out', text, text.length)
    if (accepts(request, 'application/json')) return send(response, 200, text)
    response
      .writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-cache, no-transform' })
      .end(`data: ${text}\n\n`)
  })
}

function send(response: ServerResponse, status: number, json: string): void {
  if (response.destroyed) return
  response
    .writeHead(status, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(json) })
    .end(json)
}

/** Refuses with a JSON-RPC error, then closes the connection. */
function refuseRequest(
  request: IncomingMessage,
  response: ServerResponse,
  status: number,
  message: string,
): void {
  const text = errorText(null, { code: rpcErrors.invalidRequest, message })
  refuseUnread(request, response, status, { type: 'application/json', text })
}

function accepts(request: IncomingMessage, type: 'application/json' | 'text/event-stream'): boolean {
  const { accept } = request.headers
  return accept === undefined || accept.includes(type) || accept.includes('*/*')
}

function isInitialize(value: unknown): boolean {
  return (
    typeof value === 'object' && value !== null && (value as { method?: unknown }).method === 'initialize'
  )
}
