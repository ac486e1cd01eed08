import { randomUUID } from 'node:crypto'
import type { ServerResponse } from 'node:http'
import { EventOutbox, type EventWorth } from './event-outbox'
import { notificationText } from './json-rpc'
import { type HearFrame, loggedText } from './logged-text'
import type { McpMethods } from './mcp-methods'
import { McpSession, type Sink } from './mcp-session'

/** What a dialect says of a client that has begun a session. */
export interface HttpClient<Context> {
  context: Context
  /** The client introduced itself; `params` of its initialize, unchecked. */
  onInitialize?(params: unknown): void
  /** The client listens: a first stream, or one after a break. */
  onStream?(): void
  /** A tool threw, which is a bug in the tool. The client has been answered with -32603. */
  onToolFailure?(tool: string, error: unknown): void
  onMessage?: HearFrame
  /** The session is over because its client is gone. Called once, after its calls have been aborted. */
  onClosed(): void
}

/** A session as its dialect sees it. */
export interface HttpLink<Holder = unknown> {
  /** The session's id; unguessable. */
  readonly id: string
  /** Whose token the client showed. */
  readonly holder: Holder
  /** The client's port at the other end of the connection by which it began. */
  readonly clientPort: number | undefined
  /** Whether the client has a stream open. */
  readonly isListening: boolean
  /** Sends a notification, now or as soon as the client listens again. */
  notify(method: string, params: unknown, worth: EventWorth): void
}

/** How long sessions without a stream live, in milliseconds. */
export interface SessionPatience {
  /** After a stream broke: clients come back within one or two seconds. */
  afterStream: number
  /** Where there never was a stream. */
  beforeStream: number
}

/** Above this many unsent bytes nothing more is written to a stream until the client has read. */
const unsentLimit = 4 * 1024 * 1024
/** A client has no use for more streams than one; one that breaks may not be noticed at once. */
const mostStreams = 4
/** What has been on a standing stream for so long, in milliseconds, has arrived. */
const arrived = 15_000

/** One client's session of MCP over HTTP: calls come by POST, notifications go out on a stream that it holds open. */
export class HttpSession<Context, Holder> implements HttpLink<Holder> {
  readonly id = randomUUID()
  readonly holder: Holder
  readonly clientPort: number | undefined
  readonly #patience: SessionPatience
  readonly #onEnd: () => void
  readonly #outbox = new EventOutbox()
  /** The newest last; only that one is written to. */
  readonly #streams: ServerResponse[] = []
  #session: McpSession<Context> | undefined
  #client: HttpClient<Context> | undefined
  #hadStream = false
  #unanswered = 0
  /** Milliseconds since the epoch when the client was last heard of. */
  #heardAt = Date.now()
  #over = false
  /** The body that is being parsed in a thread: what comes after it waits. */
  parsing: Promise<unknown> | undefined

  constructor(options: {
    holder: Holder
    clientPort: number | undefined
    patience: SessionPatience
    onEnd: () => void
  }) {
    this.holder = options.holder
    this.clientPort = options.clientPort
    this.#patience = options.patience
    this.#onEnd = options.onEnd
  }

  get isListening(): boolean {
    return this.#streams.length > 0
  }

  /** Joins the session with its dialect; before the first message. */
  serve(methods: McpMethods<Context>, client: HttpClient<Context>): void {
    this.#client = client
    this.#session = new McpSession<Context>({
      methods,
      context: client.context,
      // What a client asked is answered in its response; there is nothing else to send.
      send: () => undefined,
      onInitialize: (params) => client.onInitialize?.(params),
      onToolFailure: (tool, error) => client.onToolFailure?.(tool, error),
    })
  }

  /** Takes a message; `answer` is called once. */
  receive(value: unknown, answer: Sink): void {
    if (this.#session === undefined) return answer(undefined)
    this.#unanswered += 1
    this.#session.receive(value, (text) => {
      this.#unanswered -= 1
      this.#heardAt = Date.now()
      answer(text)
    })
  }

  /** Lets the log hear of a message. */
  hear(direction: 'in' | 'out', text: string, bytes: number): void {
    this.#client?.onMessage?.(direction, loggedText(text), bytes)
  }

  notify(method: string, params: unknown, worth: EventWorth): void {
    if (this.#over) return
    const text = notificationText(method, params)
    this.hear('out', text, text.length)
    this.#outbox.add(method, text, worth)
    this.#flush()
  }

  /** Takes a stream whose head has been written. `lastSeen` is the last event that the client got. */
  attach(stream: ServerResponse, lastSeen: number | undefined): void {
    this.#hadStream = true
    this.#streams.push(stream)
    if (this.#streams.length > mostStreams) this.#streams.shift()?.end()
    this.#outbox.resume(lastSeen)
    stream.on('drain', () => this.#flush())
    stream.once('close', () => {
      const index = this.#streams.indexOf(stream)
      if (index >= 0) this.#streams.splice(index, 1)
      this.#heardAt = Date.now()
    })
    this.#flush()
    this.#client?.onStream?.()
  }

  /** Whether the client never listened, and waits for no answer. */
  get isUnused(): boolean {
    return !this.#hadStream && this.#unanswered === 0
  }

  /** Whether the client has not been heard of for longer than it may be away. */
  isGone(now: number): boolean {
    if (this.#streams.length > 0 || this.#unanswered > 0) return false
    const { afterStream, beforeStream } = this.#patience
    return now - this.#heardAt > (this.#hadStream ? afterStream : beforeStream)
  }

  /** Keeps streams from being taken for dead, and forgets what has arrived. Called every few seconds. */
  keepAlive(now: number): void {
    for (const stream of this.#streams) stream.write(':\n\n')
    if (this.#streams.length > 0) this.#outbox.forget(now - arrived)
  }

  /** Ends the session because its client is gone. */
  dispose(): void {
    if (this.#over) return
    this.#over = true
    this.#session?.end('connection-lost')
    for (const stream of this.#streams.splice(0)) stream.end()
    this.#client?.onClosed()
    this.#onEnd()
  }

  /** Ends the session because the server stops. Resolves when what was sent is out, or cannot be. */
  async finish(): Promise<void> {
    if (this.#over) return
    this.#over = true
    this.#session?.end('shutdown')
    this.#onEnd()
    const ended = this.#streams.splice(0).map(
      (stream) =>
        new Promise<void>((resolve) => {
          stream.once('close', resolve)
          stream.end(resolve)
        }),
    )
    await Promise.all(ended)
  }

  #flush(): void {
    const stream = this.#streams.at(-1)
    if (stream === undefined || this.#over) return
    while (stream.writableLength < unsentLimit) {
      const event = this.#outbox.next(Date.now())
      if (event === undefined) return
      stream.write(`id: ${event.id}\ndata: ${event.text}\n\n`)
    }
  }
}
