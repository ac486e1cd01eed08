import { objectOf, parseJson } from '../json'
import { type Disposable, type Listen, disposable } from '../lifetime'
import { joinLongText, splitLongText } from '../text/long-text'

/**
 * Calls with an answer, and topics that send a snapshot and then numbered deltas. The page is the client, the host the
 * server. Frames are JSON texts; a delta's long text follows its JSON unquoted (`long-text.ts`).
 */
export interface Channel {
  send(frame: string): void
  onMessage: Listen<string>
  onClose: Listen<void>
  close(): void
}

/** The types of every call, by name. */
export type CallTypes = Record<string, { params: unknown; result: unknown }>
/** The types of every topic, by name. */
export type TopicTypes = Record<string, { params: unknown; snapshot: unknown; delta: unknown }>

/** Why a call has no result. `invalid` and `unknown` are the caller's faults; `failed` is a bug in the host. */
export type RpcErrorCode = 'invalid' | 'unknown' | 'cancelled' | 'disconnected' | 'failed'

/** Thrown to the caller when a call has no result. The message is fit for a log, not for the page. */
export class RpcError extends Error {
  readonly code: RpcErrorCode
  constructor(code: RpcErrorCode, message: string) {
    super(message)
    this.name = 'RpcError'
    this.code = code
  }
}

type ToServer =
  | { t: 'call'; id: number; name: string; params: unknown }
  | { t: 'cancel'; id: number }
  | { t: 'sub'; id: number; topic: string; params: unknown }
  | { t: 'unsub'; id: number }

type ToClient =
  | { t: 'ok'; id: number; result: unknown }
  | { t: 'err'; id: number; code: RpcErrorCode; message: string }
  | { t: 'snap'; id: number; rev: number; data: unknown }
  | { t: 'delta'; id: number; rev: number; data: unknown }

/** Where a topic sends its state. A snapshot may come again at any time and replaces everything. */
export interface Sink<Snapshot, Delta> {
  snapshot(data: Snapshot): void
  delta(data: Delta): void
}

/** Hears a topic. */
export interface TopicListener<Snapshot, Delta> extends Sink<Snapshot, Delta> {
  /** The host refuses this topic (unknown id, wrong parameters); nothing more will come. */
  refused?(error: RpcError): void
}

/** The page's end. It outlives channels: after a reconnect every subscription gets a new snapshot. */
export interface RpcClient<C extends CallTypes, T extends TopicTypes> {
  call<N extends keyof C & string>(
    name: N,
    params: C[N]['params'],
    signal?: AbortSignal,
  ): Promise<C[N]['result']>
  subscribe<N extends keyof T & string>(
    topic: N,
    params: T[N]['params'],
    listener: TopicListener<T[N]['snapshot'], T[N]['delta']>,
  ): Disposable
  /** Uses this channel from now on. Calls in flight on the previous one fail as `disconnected`. */
  attach(channel: Channel): void
}

interface Subscription {
  topic: string
  params: unknown
  listener: TopicListener<unknown, unknown>
  revision: number | null
}

/** Makes the page's end. Until a channel is attached, calls fail as `disconnected` and subscriptions wait. */
export function createRpcClient<C extends CallTypes, T extends TopicTypes>(): RpcClient<C, T> {
  let channel: Channel | null = null
  let attached: Disposable[] = []
  let nextId = 1
  const calls = new Map<number, { resolve: (value: unknown) => void; reject: (error: RpcError) => void }>()
  const subscriptions = new Map<number, Subscription>()

  const send = (message: ToServer) => channel?.send(JSON.stringify(message))

  function subscribeAt(id: number, subscription: Subscription): void {
    subscription.revision = null
    send({ t: 'sub', id, topic: subscription.topic, params: subscription.params })
  }

  function receive(message: ToClient): void {
    switch (message.t) {
      case 'ok':
      case 'err': {
        const waiting = calls.get(message.id)
        if (waiting) {
          calls.delete(message.id)
          if (message.t === 'ok') waiting.resolve(message.result)
          else waiting.reject(new RpcError(message.code, message.message))
        } else if (message.t === 'err') {
          const refused = subscriptions.get(message.id)
          subscriptions.delete(message.id)
          refused?.listener.refused?.(new RpcError(message.code, message.message))
        }
        return
      }
      case 'snap': {
        const subscription = subscriptions.get(message.id)
        if (!subscription) return
        subscription.revision = message.rev
        subscription.listener.snapshot(message.data)
        return
      }
      case 'delta': {
        const subscription = subscriptions.get(message.id)
        if (!subscription || subscription.revision === null) return
        if (message.rev !== subscription.revision + 1) {
          // A delta is missing, so the state is no longer right: subscribe again.
          send({ t: 'unsub', id: message.id })
          subscribeAt(message.id, subscription)
          return
        }
        subscription.revision = message.rev
        subscription.listener.delta(message.data)
      }
    }
  }

  function detach(): void {
    for (const item of attached) item.dispose()
    attached = []
    channel = null
    const lost = [...calls.values()]
    calls.clear()
    for (const { reject } of lost) reject(new RpcError('disconnected', 'the connection to the app is gone'))
  }

  return {
    call(name, params, signal) {
      return new Promise((resolve, reject) => {
        if (!channel) return reject(new RpcError('disconnected', `${name}: not connected`))
        if (signal?.aborted) return reject(new RpcError('cancelled', `${name}: cancelled`))
        const id = nextId++
        const abort = () => {
          if (!calls.delete(id)) return
          send({ t: 'cancel', id })
          reject(new RpcError('cancelled', `${name}: cancelled`))
        }
        signal?.addEventListener('abort', abort, { once: true })
        const settle = () => signal?.removeEventListener('abort', abort)
        calls.set(id, {
          resolve: (value) => (settle(), resolve(value as never)),
          reject: (error) => (settle(), reject(error)),
        })
        send({ t: 'call', id, name, params })
      })
    },
    subscribe(topic, params, listener) {
      const id = nextId++
      const subscription: Subscription = {
        topic,
        params,
        listener: listener as TopicListener<unknown, unknown>,
        revision: null,
      }
      subscriptions.set(id, subscription)
      if (channel) subscribeAt(id, subscription)
      return disposable(() => {
        if (subscriptions.delete(id)) send({ t: 'unsub', id })
      })
    },
    attach(next) {
      detach()
      channel = next
      attached = [
        next.onMessage((frame) => receive(joinLongText(frame) as ToClient)),
        next.onClose(() => {
          if (channel === next) detach()
        }),
      ]
      for (const [id, subscription] of subscriptions) subscribeAt(id, subscription)
    },
  }
}

/** A handler may return nothing where the result has no members. */
type Answer<R> = Record<string, never> extends R ? R | void : R

/** The host's handler for every call. */
export type CallHandlers<C extends CallTypes> = {
  [N in keyof C]: (
    params: C[N]['params'],
    signal: AbortSignal,
  ) => Answer<C[N]['result']> | Promise<Answer<C[N]['result']>>
}

/**
 * The host's handler for every topic: sends a snapshot, at once or later, then deltas. After the result is disposed the
 * sink does nothing.
 */
export type TopicHandlers<T extends TopicTypes> = {
  [N in keyof T]: (params: T[N]['params'], sink: Sink<T[N]['snapshot'], T[N]['delta']>) => Disposable
}

/** Checks parameters that come from outside; a zod schema satisfies it. */
export interface ParamsSchema {
  safeParse(value: unknown): { success: true; data: unknown } | { success: false; error: { message: string } }
}

/** What the server side of a channel needs. `report` is called for bugs: a handler that threw. */
export interface ServerOptions<C extends CallTypes, T extends TopicTypes> {
  calls: CallHandlers<C>
  topics: TopicHandlers<T>
  schemas: {
    calls: { [N in keyof C]: { params: ParamsSchema } }
    topics: { [N in keyof T]: { params: ParamsSchema } }
  }
  report(name: string, error: unknown): void
}

/** Serves one channel until it closes or the result is disposed; either ends all its subscriptions and calls. */
export function serveRpc<C extends CallTypes, T extends TopicTypes>(
  channel: Channel,
  options: ServerOptions<C, T>,
): Disposable {
  const calls = new Map<number, AbortController>()
  const subscriptions = new Map<number, Disposable>()
  const send = (message: ToClient) => channel.send(JSON.stringify(message))

  /** Validates the parameters of a call or topic; if they are wrong, answers with the error and gives null. */
  function parseParams(
    { id, params }: ToServer & { t: 'call' | 'sub' },
    name: string,
    schemas: Readonly<Record<string, { params: ParamsSchema }>>,
  ) {
    const parsed = Object.hasOwn(schemas, name) ? schemas[name]?.params.safeParse(params) : undefined
    if (parsed?.success) return parsed
    const [code, text] = parsed
      ? (['invalid', parsed.error.message] as const)
      : (['unknown', `nothing is named ${name}`] as const)
    send({ t: 'err', id, code, message: text })
    return null
  }

  async function runCall(message: ToServer & { t: 'call' }): Promise<void> {
    const { id, name } = message
    const parsed = parseParams(message, name, options.schemas.calls)
    if (!parsed) return
    const abort = new AbortController()
    calls.set(id, abort)
    try {
      const handler = options.calls[name] as (params: unknown, signal: AbortSignal) => unknown
      const result = await handler(parsed.data, abort.signal)
      if (calls.has(id)) send({ t: 'ok', id, result: result === undefined ? {} : result })
    } catch (error) {
      options.report(name, error)
      if (calls.has(id)) send({ t: 'err', id, code: 'failed', message: `${name} failed` })
    } finally {
      calls.delete(id)
    }
  }

  function begin(message: ToServer & { t: 'sub' }): void {
    const { id, topic } = message
    const parsed = parseParams(message, topic, options.schemas.topics)
    if (!parsed) return
    subscriptions.get(id)?.dispose()
    let revision = 0
    let ended = false
    const sink: Sink<unknown, unknown> = {
      snapshot(data) {
        if (!ended) send({ t: 'snap', id, rev: ++revision, data })
      },
      delta(data) {
        if (!ended) channel.send(splitLongText({ t: 'delta', id, rev: ++revision, data }))
      },
    }
    try {
      const handler = options.topics[topic] as (params: unknown, to: Sink<unknown, unknown>) => Disposable
      const running = handler(parsed.data, sink)
      subscriptions.set(
        id,
        disposable(() => {
          ended = true
          running.dispose()
        }),
      )
    } catch (error) {
      ended = true
      options.report(topic, error)
      send({ t: 'err', id, code: 'failed', message: `${topic} failed` })
    }
  }

  function receive(frame: string): void {
    const message = parseFrame(frame)
    switch (message?.t) {
      case 'call':
        void runCall(message)
        return
      case 'cancel': {
        const running = calls.get(message.id)
        calls.delete(message.id)
        running?.abort()
        return
      }
      case 'sub':
        begin(message)
        return
      case 'unsub':
        subscriptions.get(message.id)?.dispose()
        subscriptions.delete(message.id)
        return
      case undefined:
        options.report('frame', new RpcError('invalid', 'the page sent something that is no frame'))
    }
  }

  const end = disposable(() => {
    hearing.dispose()
    closing.dispose()
    for (const running of calls.values()) running.abort()
    calls.clear()
    for (const subscription of subscriptions.values()) subscription.dispose()
    subscriptions.clear()
  })
  const hearing = channel.onMessage(receive)
  const closing = channel.onClose(() => end.dispose())
  return end
}

function parseFrame(frame: string): ToServer | undefined {
  const value = parseJson(frame)
  const { t, id, name, topic } = objectOf(value) ?? {}
  const isFrame =
    Number.isSafeInteger(id) &&
    ((t === 'call' && typeof name === 'string') ||
      (t === 'sub' && typeof topic === 'string') ||
      t === 'cancel' ||
      t === 'unsub')
  return isFrame ? (value as ToServer) : undefined
}
