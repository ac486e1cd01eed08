import { EventEmitter } from 'node:events'
import type { Readable, Writable } from 'node:stream'
// The package exports its types but not this file of them; nothing of it exists at run time.
import type { Protocol } from '../../../node_modules/playwright-core/types/protocol'

export type { Protocol }

type Commands = Protocol.CommandParameters
type Answers = Protocol.CommandReturnValues
type Events = Protocol.Events

/** The largest message that Chromium's pipe takes, in bytes, with some room left. */
const largest = 95_000_000

/** A conversation with one target, or with the browser itself. */
export interface CdpSession {
  /** Resolves with Chromium's answer; rejects when it refuses or has gone. Commands are taken in order. */
  send<M extends keyof Commands & keyof Answers>(method: M, params?: Commands[M]): Promise<Answers[M]>
  /** Listens to an event of this target. */
  on<E extends keyof Events>(event: E, listener: (params: Events[E]) => void): void
}

interface Waiting {
  method: string
  resolve: (result: unknown) => void
  reject: (error: Error) => void
}

interface Incoming {
  id?: number
  method?: string
  params?: unknown
  result?: unknown
  error?: { message: string }
  sessionId?: string
}

/** DevTools protocol over a pair of pipes: JSON messages that end with a NUL. */
export class CdpConnection {
  /** The browser itself. */
  readonly browser: CdpSession = this.session('')
  readonly #events = new EventEmitter().setMaxListeners(0)
  readonly #waiting = new Map<number, Waiting>()
  readonly #to: Writable
  #nextId = 1
  #parts: Buffer[] = []
  #closed = false

  constructor(to: Writable, from: Readable) {
    this.#to = to
    // A broken pipe also shows as the end of `from`, which is where it is dealt with.
    to.on('error', () => {})
    from.on('error', () => {})
    from.on('data', (bytes: Buffer) => this.#read(bytes))
    from.on('close', () => this.#end())
  }

  /** The conversation that Chromium has given this id. */
  session(sessionId: string): CdpSession {
    return {
      send: (method, params) => this.#send(sessionId, method, params) as Promise<never>,
      on: (event, listener) => void this.#events.on(`${sessionId} ${event}`, listener),
    }
  }

  #send(sessionId: string, method: string, params: unknown = {}): Promise<unknown> {
    if (this.#closed) return Promise.reject(new Error(`${method}: Chromium has gone`))
    const id = this.#nextId++
    const text = JSON.stringify({ id, method, params, ...(sessionId === '' ? {} : { sessionId }) })
    if (text.length > largest) {
      return Promise.reject(
        new Error(`stand-in: a message of ${text.length} characters is too big for Chromium's pipe`),
      )
    }
    return new Promise((resolve, reject) => {
      this.#waiting.set(id, { method, resolve, reject })
      this.#to.write(`${text}\0`)
    })
  }

  #read(bytes: Buffer): void {
    let rest = bytes
    for (let end = rest.indexOf(0); end >= 0; end = rest.indexOf(0)) {
      this.#parts.push(rest.subarray(0, end))
      const text = Buffer.concat(this.#parts).toString('utf8')
      this.#parts = []
      rest = rest.subarray(end + 1)
      this.#take(JSON.parse(text) as Incoming)
    }
    if (rest.length > 0) this.#parts.push(rest)
  }

  #take(message: Incoming): void {
    if (message.id !== undefined) {
      const waiting = this.#waiting.get(message.id)
      this.#waiting.delete(message.id)
      if (message.error) waiting?.reject(new Error(`${waiting.method}: ${message.error.message}`))
      else waiting?.resolve(message.result)
      return
    }
    try {
      this.#events.emit(`${message.sessionId ?? ''} ${message.method}`, message.params)
    } catch (error) {
      // What an app's listener throws is the app's uncaught exception, and must not eat the messages behind it.
      queueMicrotask(() => {
        throw error
      })
    }
  }

  #end(): void {
    this.#closed = true
    for (const { method, reject } of this.#waiting.values()) reject(new Error(`${method}: Chromium has gone`))
    this.#waiting.clear()
  }
}
