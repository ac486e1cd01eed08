// Carries values between the page's world and the preload's world of one document, as Electron's contextBridge
// does: values are copied, functions and promises become proxies. The way is a pair of synchronous events with
// names nobody can guess; Blink clones an event's detail when another world reads it.

type Sent =
  | { is: 'value'; value: unknown }
  | { is: 'function'; id: number }
  | { is: 'promise'; id: number }
  | { is: 'error'; message: string }
  | { is: 'list'; items: Sent[] }
  | { is: 'object'; entries: [string, Sent][] }

type Request =
  | { op: 'call'; id: number; args: Sent[] }
  | { op: 'settle'; id: number; resolve: Sent; reject: Sent }
  | { op: 'release'; id: number }
  | { op: 'expose'; key: string; api: Sent }

type Reply = { ok: true; value: Sent } | { ok: false; error: Sent }

/** How deep Electron lets values nest. */
const deepest = 1000

/** One end of the bridge. */
export interface WorldBridge {
  /** Puts a copy of `api` into the other world's global object, where nothing can change it. */
  expose: (key: string, api: unknown) => void
}

/** Opens one end. Both worlds call it with the same key and opposite sides. */
export function openBridge(key: string, side: 'page' | 'preload'): WorldBridge {
  // Taken before the page's own scripts run: what a page changes later does not reach the bridge.
  const dispatch = globalThis.dispatchEvent.bind(globalThis)
  const Carrier = globalThis.CustomEvent
  const inbound = `${key}-to-${side}`
  const outbound = `${key}-to-${side === 'page' ? 'preload' : 'page'}`
  const held = new Map<number, unknown>()
  const proxies = new FinalizationRegistry<number>((id) => void ask({ op: 'release', id }))
  let nextId = 1
  let reply: Reply | undefined

  const hold = (value: unknown): number => {
    held.set(nextId, value)
    return nextId++
  }

  const send = (value: unknown, depth = 0): Sent => {
    if (depth > deepest) {
      throw new TypeError(
        'Electron contextBridge recursion depth exceeded.  Nested objects deeper than 1000 are not supported.',
      )
    }
    if (typeof value === 'function') return { is: 'function', id: hold(value) }
    if (value instanceof Promise) return { is: 'promise', id: hold(value) }
    if (value instanceof Error) return { is: 'error', message: value.message }
    if (typeof value === 'symbol') return { is: 'value', value: undefined }
    if (Array.isArray(value)) return { is: 'list', items: value.map((item) => send(item, depth + 1)) }
    if (isPlain(value)) {
      return {
        is: 'object',
        entries: Object.entries(value).map(([name, item]) => [name, send(item, depth + 1)]),
      }
    }
    return { is: 'value', value }
  }

  const receive = (sent: Sent): unknown => {
    switch (sent.is) {
      case 'value':
        return sent.value
      case 'error':
        return new Error(sent.message)
      case 'list':
        return sent.items.map(receive)
      case 'object':
        return Object.fromEntries(sent.entries.map(([name, item]) => [name, receive(item)]))
      case 'promise':
        return new Promise((resolve, reject) => {
          ask({ op: 'settle', id: sent.id, resolve: send(resolve), reject: send(reject) })
        })
      case 'function': {
        const { id } = sent
        const proxy = (...args: unknown[]): unknown =>
          ask({ op: 'call', id, args: args.map((item) => send(item)) })
        proxies.register(proxy, id)
        return proxy
      }
    }
  }

  const ask = (request: Request): unknown => {
    reply = undefined
    dispatch(new Carrier(outbound, { detail: request }))
    const answer = reply as Reply | undefined
    reply = undefined
    if (!answer) throw new Error('stand-in: the other world of the page did not answer')
    if (!answer.ok) throw receive(answer.error)
    return receive(answer.value)
  }

  const perform = (request: Request): unknown => {
    switch (request.op) {
      case 'call':
        return (held.get(request.id) as (...args: unknown[]) => unknown)(...request.args.map(receive))
      case 'settle': {
        const promise = held.get(request.id) as Promise<unknown>
        held.delete(request.id)
        promise.then(
          receive(request.resolve) as (value: unknown) => void,
          receive(request.reject) as (error: unknown) => void,
        )
        return undefined
      }
      case 'release':
        held.delete(request.id)
        return undefined
      case 'expose':
        if (request.key in globalThis) {
          throw new Error('Cannot bind an API on top of an existing property on the window object')
        }
        Object.defineProperty(globalThis, request.key, {
          value: freeze(receive(request.api)),
          enumerable: true,
        })
        return undefined
    }
  }

  addEventListener(inbound, (event) => {
    let answer: Reply
    try {
      answer = { ok: true, value: send(perform((event as CustomEvent<Request>).detail)) }
    } catch (error) {
      answer = { ok: false, error: send(error instanceof Error ? error : new Error(String(error))) }
    }
    dispatch(new Carrier(`${outbound}-reply`, { detail: answer }))
  })
  addEventListener(`${inbound}-reply`, (event) => {
    reply = (event as CustomEvent<Reply>).detail
  })

  return { expose: (name, api) => void ask({ op: 'expose', key: name, api: send(api) }) }
}

/** An object whose members are carried one by one, without its prototype; anything else is cloned whole. */
function isPlain(value: unknown): value is object {
  if (typeof value !== 'object' || value === null || ArrayBuffer.isView(value)) return false
  const tag = Object.prototype.toString.call(value).slice(8, -1)
  return !['Date', 'RegExp', 'Map', 'Set', 'ArrayBuffer', 'Blob', 'File', 'FileList'].includes(tag)
}

function freeze(value: unknown): unknown {
  if (typeof value === 'object' && value !== null) {
    for (const item of Object.values(value)) freeze(item)
    Object.freeze(value)
  }
  return value
}
