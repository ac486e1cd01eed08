import { elsewhere, refused, welcome, writeHello } from '../shared/rpc/hello'
import { type Disposable, type Listen, Emitter } from '../shared/lifetime'
import { type PagePort, pagePortName } from '../shared/rpc/page-port'
import { PieceJoiner, splitMessage } from '../shared/rpc/message-pieces'
import type { Channel } from '../shared/rpc/rpc'

/**
 * How this page stands to its host. `elsewhere`: another page of this window is live. `lost`: the host does not
 * answer, and the page keeps trying; or it refuses this page, and then only a new link helps.
 */
export type ConnectionState = 'connecting' | 'live' | 'elsewhere' | 'lost'

/** The page's connection over all its channels. */
export interface HostConnection extends Disposable {
  readonly state: ConnectionState
  /** Whether the host no longer knows this page because it was restarted: retrying can't help. */
  readonly refused: boolean
  readonly onState: Listen<ConnectionState>
  /** Makes this page the live one in place of the other. */
  useHere(): void
}

/** How a page reaches its host, and who it says it is. */
export interface Way {
  open(): Channel
  page: string
  token(): Promise<string>
}

/** How long to wait before each try, in milliseconds; the last one is repeated. */
const retryDelays = [100, 250, 500, 1_000, 2_000, 5_000]
/** After this many failed tries the page says that the host is gone, and keeps trying. */
const triesBeforeLost = 3

/** Keeps a page connected: `attach` gets each channel that the host has welcomed. */
export function connectPage(
  way: Way,
  attach: (channel: Channel) => void,
  delays: readonly number[] = retryDelays,
): HostConnection {
  const states = new Emitter<ConnectionState>()
  let state: ConnectionState = 'connecting'
  let isRefused = false
  let disposed = false
  let tries = 0
  let attempt = 0
  let timer: ReturnType<typeof setTimeout> | undefined
  let channel: Channel | null = null

  function become(next: ConnectionState): void {
    if (state === next) return
    state = next
    states.emit(next)
  }

  async function start(takeOver: boolean): Promise<void> {
    const mine = ++attempt
    const token = await way.token()
    if (disposed || mine !== attempt) return
    const opened = way.open()
    channel = opened
    let greeted = false
    const first = opened.onMessage((frame) => {
      if (frame === elsewhere) return end('elsewhere')
      if (frame === refused) {
        isRefused = true
        return end('lost')
      }
      if (greeted || frame !== welcome) return
      greeted = true
      tries = 0
      isRefused = false
      attach(opened)
      become('live')
    })
    const closed = opened.onClose(() => {
      closed.dispose()
      first.dispose()
      if (!disposed && mine === attempt) tryAgain()
    })
    opened.send(writeHello({ page: way.page, token, takeOver }))
  }

  /** The host has decided: this page waits for its person. */
  function end(next: ConnectionState): void {
    attempt++
    channel?.close()
    channel = null
    become(next)
  }

  function tryAgain(): void {
    channel = null
    tries++
    become(tries > triesBeforeLost || state === 'lost' ? 'lost' : 'connecting')
    const delay = delays[Math.min(tries, delays.length) - 1] ?? 0
    timer = setTimeout(() => void start(false), delay)
  }

  void start(false)
  return {
    get state() {
      return state
    },
    get refused() {
      return isRefused
    },
    onState: states.on,
    useHere() {
      if (disposed || state === 'live') return
      clearTimeout(timer)
      tries = 0
      become('connecting')
      void start(true)
    },
    dispose() {
      disposed = true
      attempt++
      clearTimeout(timer)
      channel?.close()
      states.dispose()
    },
  }
}

/** The way of this page: the preload's port where there is one, else a WebSocket to where the page came from. */
export function wayOfThisPage(): Way {
  const port = (globalThis as { [pagePortName]?: PagePort })[pagePortName]
  if (port) return { page: 'shell', open: () => openPort(port), token: () => Promise.resolve('') }
  const identity = identityOfThisPage()
  const address = new URL('channel', location.href)
  address.protocol = 'ws:'
  address.hash = ''
  return { page: identity.page, open: () => openSocket(address.href), token: identity.token }
}

/** The path of a dropped file; empty in a browser, which does not reveal it. */
export function pathOfDropped(file: File): string {
  return (globalThis as { [pagePortName]?: PagePort })[pagePortName]?.pathOf(file) ?? ''
}

function openPort(port: PagePort): Channel {
  const messages = new Emitter<string>()
  const closes = new Emitter<void>()
  const joiner = new PieceJoiner()
  let open = true
  const close = () => {
    if (!open) return
    open = false
    closes.emit()
  }
  port.open((piece) => {
    if (!open) return
    if (piece === null) return close()
    const joined = joiner.add(piece)
    if (joined.kind === 'message') messages.emit(joined.message)
    else if (joined.kind === 'wrong') close()
  })
  return {
    send(frame) {
      if (open) for (const piece of splitMessage(frame)) port.send(piece)
    },
    onMessage: messages.on,
    onClose: closes.on,
    close,
  }
}

function openSocket(address: string): Channel {
  const messages = new Emitter<string>()
  const closes = new Emitter<void>()
  const socket = new WebSocket(address)
  let waiting: string[] | null = []
  socket.addEventListener('open', () => {
    for (const frame of waiting ?? []) socket.send(frame)
    waiting = null
  })
  socket.addEventListener('message', (event: MessageEvent<unknown>) => {
    if (typeof event.data === 'string') messages.emit(event.data)
  })
  socket.addEventListener('close', () => closes.emit(), { once: true })
  return {
    send(frame) {
      if (waiting) waiting.push(frame)
      else if (socket.readyState === WebSocket.OPEN) socket.send(frame)
    },
    onMessage: messages.on,
    onClose: closes.on,
    close: () => socket.close(),
  }
}

const tokenKey = 'greenlight-token'
const pageKey = 'greenlight-page'

/**
 * Who this page is to the headless host. The token came in the address's fragment, which is taken away at once; it is
 * kept for this tab and this origin only. A further tab asks the others of the same origin for it. The name is stored
 * only while the page is unloaded, so that a reload keeps it and a duplicated tab does not have it.
 */
function identityOfThisPage(): { page: string; token: () => Promise<string> } {
  const page = sessionStorage.getItem(pageKey) ?? crypto.randomUUID()
  sessionStorage.removeItem(pageKey)
  addEventListener('pagehide', () => sessionStorage.setItem(pageKey, page))
  addEventListener('pageshow', () => sessionStorage.removeItem(pageKey))

  const given = new URLSearchParams(location.hash.slice(1)).get('token')
  if (given) {
    sessionStorage.setItem(tokenKey, given)
    history.replaceState(null, '', location.pathname + location.search)
  }
  const siblings = new BroadcastChannel('greenlight')
  siblings.addEventListener('message', (event: MessageEvent<unknown>) => {
    const token = sessionStorage.getItem(tokenKey)
    if (event.data === 'token?' && token) siblings.postMessage({ token })
  })
  return { page, token: async () => sessionStorage.getItem(tokenKey) ?? (await askSiblings(siblings)) }
}

/** Only pages of exactly this origin, port included, hear and answer; after half a second nobody will. */
function askSiblings(siblings: BroadcastChannel): Promise<string> {
  return new Promise((resolve) => {
    const settle = (token: string) => {
      clearTimeout(timer)
      siblings.removeEventListener('message', hear)
      resolve(token)
    }
    const hear = (event: MessageEvent<unknown>) => {
      const { data } = event
      if (typeof data !== 'object' || data === null || !('token' in data)) return
      if (typeof data.token !== 'string') return
      sessionStorage.setItem(tokenKey, data.token)
      settle(data.token)
    }
    const timer = setTimeout(() => settle(''), 500)
    siblings.addEventListener('message', hear)
    siblings.postMessage('token?')
  })
}
