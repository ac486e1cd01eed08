import { readFile } from 'node:fs/promises'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { WebSocketServer } from 'ws'
import { type Refusal, type TakeUpgrade, openLoopbackServer } from '../core/net/loopback-server'
import { PageDoor } from '../../shared/rpc/hello'
import type { Disposable } from '../../shared/lifetime'
import { type Result, succeed } from '../../shared/result'
import type { Channel } from '../../shared/rpc/rpc'
import { Admission } from './admission'
import { refusalPage } from './refusal-page'
import { channelOfSocket } from './socket-channel'
import { type StaticFile, listStaticFiles } from './static-files'

/** A window as the page server sees it. */
export interface ServedWindow {
  readonly id: string
  connect(channel: Channel): Disposable
}

export interface PageServerOptions {
  /** The port to listen on; null: any free one. */
  port: number | null
  /** Where the built page lies. */
  directory: string
  window(id: string): ServedWindow | undefined
  /** Hears of refused requests, for the log; never contains a secret. */
  onRefused?: (refusal: Refusal) => void
  /** The time in milliseconds; for tests. */
  now?: () => number
  /** How long a socket may take for its hello, in milliseconds. */
  patience?: number
}

/** The page over http on 127.0.0.1. */
export interface PageServer extends Disposable {
  readonly port: number
  /** A new address that lets one browser in, once and within a minute, to a window. */
  mintUrl(window: string): string
  /** Whether any window has a live page now. */
  isWatched(): boolean
  /** Whether any page has ever been live. */
  wasWatched(): boolean
  closed: Promise<void>
}

const contentSecurityPolicy =
  "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data: blob:; " +
  "font-src 'self'; connect-src 'self'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'"

const usualHeaders = {
  'content-security-policy': contentSecurityPolicy,
  'x-content-type-options': 'nosniff',
  'cache-control': 'no-store',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
}

/** The longest message of a page, in bytes. */
const longestMessage = 128 * 1024 * 1024

const usedLink: Refusal = {
  status: 403,
  message:
    'This link has been used or has expired. Start Greenlight on the same folder again to get a new one.',
}
const stranger: Refusal = {
  status: 403,
  message:
    'This browser isn’t signed in. Open the link that Greenlight printed, or start Greenlight on the same folder again to get a new one.',
}
const noLink: Refusal = {
  status: 404,
  message: 'This address doesn’t open a window. Start Greenlight on the same folder again to get a link.',
}
const nothingHere: Refusal = { status: 404, message: 'There is nothing at this address.' }

/** Serves the page and its channel. Fails where the port cannot be had. */
export async function openPageServer(options: PageServerOptions): Promise<Result<PageServer>> {
  let files = listStaticFiles(options.directory)
  const sockets = new WebSocketServer({
    noServer: true,
    maxPayload: longestMessage,
    perMessageDeflate: false,
  })
  const doors = new Map<string, PageDoor>()
  let watchedOnce = false
  let admission = new Admission(0)

  const server = await openLoopbackServer({
    port: options.port ?? 0,
    hosts: ['127.0.0.1'],
    origins: 'own',
    onRequest: (request, response) => answer(request, response),
    onUpgrade: (request) => takeUpgrade(request),
    ...(options.onRefused ? { onRefused: options.onRefused } : {}),
  })
  if (!server.ok) return server
  admission = new Admission(server.value.port, options.now)

  function answer(request: IncomingMessage, response: ServerResponse): void {
    if (request.method !== 'GET' && request.method !== 'HEAD') {
      response.setHeader('allow', 'GET, HEAD')
      return refuse(response, { status: 405, message: 'Only GET and HEAD are answered here.' })
    }
    const url = readAddress(request)
    if (!url) return refuse(response, nothingHere)
    const code = url.searchParams.get('code')
    if (url.pathname === '/' && code !== null) return letIn(request, response, code)
    const [, first, id = '', ...rest] = url.pathname.split('/')
    const window = first === 'w' && rest.length > 0 ? options.window(id) : undefined
    if (!admission.hasCookie(request)) {
      const isPage = window !== undefined && rest.join('/') === ''
      // Our own page asks again, and that request is no longer from elsewhere.
      if (isPage && isFromElsewhere(request)) return sendOn(response, usualHeaders, `/w/${window.id}/`)
      return refuse(response, stranger)
    }
    if (!window) return refuse(response, url.pathname === '/' ? noLink : nothingHere)
    const file = findFile(rest.join('/'))
    if (!file) return refuse(response, nothingHere)
    void sendFile(request, response, file)
  }

  /** A new build while we run has new names: what is not found is looked for once more. */
  function findFile(address: string): StaticFile | undefined {
    const known = files.get(address)
    if (known) return known
    files = listStaticFiles(options.directory)
    return files.get(address)
  }

  /** HEAD must not use the code up: previews of links ask so. */
  function letIn(request: IncomingMessage, response: ServerResponse, code: string): void {
    const window = request.method === 'GET' ? admission.useCode(code) : undefined
    if (window === undefined) return refuse(response, usedLink)
    // The fragment stays in the browser; the page takes it out of the address before anything else.
    const location = `/w/${window}/#token=${admission.token}`
    const headers = { ...usualHeaders, 'set-cookie': admission.setCookie }
    // Followed from another site (a terminal in a browser), what a redirect leads to would come without the strict
    // cookie; what our own page leads to has it.
    if (isFromElsewhere(request)) return sendOn(response, headers, location)
    response.writeHead(303, { ...headers, location }).end()
  }

  function refuse(response: ServerResponse, refusal: Refusal): void {
    options.onRefused?.(refusal)
    response
      .writeHead(refusal.status, { ...usualHeaders, 'content-type': 'text/html; charset=utf-8' })
      .end(refusalPage(refusal.message))
  }

  function takeUpgrade(request: IncomingMessage): Refusal | TakeUpgrade {
    const url = readAddress(request)
    const [, first, id = '', last, ...more] = url?.pathname.split('/') ?? []
    if (first !== 'w' || last !== 'channel' || more.length > 0) return nothingHere
    // That an Origin, if there is one, is ours has been checked; every browser sends one here.
    if (request.headers.origin === undefined || !admission.hasCookie(request)) return stranger
    const window = options.window(id)
    if (!window) return nothingHere
    return (socket, head) =>
      sockets.handleUpgrade(request, socket, head, (webSocket) => {
        const channel = channelOfSocket(webSocket)
        const impatient = setTimeout(() => webSocket.terminate(), options.patience ?? 10_000)
        const greeted = channel.onMessage(() => {
          greeted.dispose()
          clearTimeout(impatient)
        })
        channel.onClose(() => clearTimeout(impatient))
        doorOf(window).admit(channel)
      })
  }

  function doorOf(window: ServedWindow): PageDoor {
    const known = doors.get(window.id)
    if (known) return known
    const door = new PageDoor({
      accepts: (token) => admission.acceptsToken(token),
      connect: (channel) => {
        watchedOnce = true
        return window.connect(channel)
      },
    })
    doors.set(window.id, door)
    return door
  }

  return succeed({
    port: server.value.port,
    closed: server.value.closed,
    mintUrl: (window) => `${server.value.url}/?code=${admission.mintCode(window)}`,
    isWatched: () => [...doors.values()].some((door) => door.occupied),
    wasWatched: () => watchedOnce,
    dispose() {
      for (const door of doors.values()) door.dispose()
      sockets.close()
      server.value.dispose()
    },
  })
}

/** The address of a request, or undefined when it is not one below our root. */
function readAddress(request: IncomingMessage): URL | undefined {
  const given = request.url ?? ''
  // `//host/…` would name another host.
  if (!given.startsWith('/') || given.startsWith('//')) return undefined
  try {
    return new URL(given, 'http://127.0.0.1')
  } catch {
    return undefined
  }
}

/** Whether a page of another site led the browser here. Only browsers say so. */
function isFromElsewhere(request: IncomingMessage): boolean {
  return request.headers['sec-fetch-site'] === 'cross-site'
}

/** A page of ours that leads to an address of ours at once. Addresses hold nothing that needs escaping. */
function sendOn(response: ServerResponse, headers: Record<string, string>, location: string): void {
  response
    .writeHead(200, { ...headers, 'content-type': 'text/html; charset=utf-8' })
    .end(`<!doctype html><meta http-equiv="refresh" content="0; url=${location}"><title>Greenlight</title>`)
}

async function sendFile(request: IncomingMessage, response: ServerResponse, file: StaticFile): Promise<void> {
  // Whole: the largest is some megabytes, and a stream that fails would end the response without a word.
  const body = await readFile(file.path).catch(() => null)
  if (!body) {
    // Gone since it was listed: a new build is being made.
    response.writeHead(404, usualHeaders).end()
    return
  }
  response
    .writeHead(200, { ...usualHeaders, 'content-type': file.type, 'content-length': body.length })
    .end(request.method === 'HEAD' ? undefined : body)
}
