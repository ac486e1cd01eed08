import { request, type IncomingMessage } from 'node:http'
import { Emitter } from '../src/shared/lifetime'

/** A notification as it came, with the id of its event. */
export interface HeardEvent {
  id: string | undefined
  method: string
  params: Record<string, unknown>
}

/** An answer as it came. */
export interface HttpAnswer {
  status: number
  headers: IncomingMessage['headers']
  text: string
}

/** What a tool answers. */
export interface CallResult {
  content: { type: string; text: string }[]
  isError?: boolean
}

/** A bare client of MCP over Streamable HTTP that speaks in messages, and can be cut off. */
export class HttpPeer {
  readonly #server: { port: number; token: string }
  readonly heard: HeardEvent[] = []
  readonly #arrived = new Emitter<void>()
  readonly #streams = new Set<IncomingMessage>()
  session: string | undefined
  lastEventId: string | undefined
  /** Comments that came on streams: signs of life. */
  comments = 0
  #next = 0

  constructor(server: { port: number; token: string }) {
    this.#server = server
  }

  /** Connects as clients do: initialize, initialized, a stream, the list of tools. */
  static async connect(
    server: { port: number; token: string },
    clientInfo = { name: 'streamable-http-client', version: '0.61.0' },
  ): Promise<HttpPeer> {
    const peer = new HttpPeer(server)
    await peer.initialize(clientInfo)
    await peer.listen()
    await peer.request('tools/list', {})
    return peer
  }

  async initialize(clientInfo: object): Promise<void> {
    await this.request('initialize', { protocolVersion: '2025-06-18', capabilities: {}, clientInfo })
    await this.post({ jsonrpc: '2.0', method: 'notifications/initialized' })
  }

  /** One request, whole. */
  send(
    method: string,
    body?: string | Buffer,
    headers: Record<string, string | undefined> = {},
    path = '/mcp',
  ): Promise<HttpAnswer> {
    return new Promise((resolve, reject) => {
      const out = request(
        {
          host: '127.0.0.1',
          port: this.#server.port,
          path,
          method,
          headers: this.#headers({ accept: 'application/json, text/event-stream', ...headers }),
        },
        (response) => {
          const chunks: Buffer[] = []
          response.on('data', (chunk: Buffer) => chunks.push(chunk))
          response.on('end', () =>
            resolve({
              status: response.statusCode ?? 0,
              headers: response.headers,
              text: Buffer.concat(chunks).toString('utf8'),
            }),
          )
          response.on('error', reject)
        },
      )
      out.on('error', reject)
      out.end(body)
    })
  }

  /** Posts one message, or a text as it is. */
  async post(message: unknown, headers: Record<string, string | undefined> = {}): Promise<HttpAnswer> {
    const body = typeof message === 'string' ? message : JSON.stringify(message)
    const answer = await this.send('POST', body, { 'content-type': 'application/json', ...headers })
    const session = answer.headers['mcp-session-id']
    if (typeof session === 'string') this.session = session
    return answer
  }

  async request(method: string, params: unknown): Promise<Record<string, unknown>> {
    const answer = await this.post({ jsonrpc: '2.0', id: (this.#next += 1), method, params })
    return JSON.parse(answer.text) as Record<string, unknown>
  }

  /** Calls a tool; throws the error's sentence. */
  async call(name: string, args: unknown): Promise<CallResult> {
    const { result, error } = await this.request('tools/call', { name, arguments: args })
    if (result === undefined) throw new Error((error as { message: string }).message)
    return result as CallResult
  }

  openDiff(filePath: string, newContent: string): Promise<CallResult> {
    return this.call('openDiff', { filePath, newContent })
  }

  /** Answered in the terminal: gives the content that the review held, if it was open. */
  async closeDiff(filePath: string, suppressNotification = true): Promise<string | undefined> {
    const { content } = await this.call('closeDiff', { filePath, suppressNotification })
    return (JSON.parse(content[0]?.text ?? '{}') as { content?: string }).content
  }

  /** Opens a stream; resolves when it stands. After a break, what the client did not get comes again. */
  listen(): Promise<void> {
    return new Promise((resolve, reject) => {
      const out = request(
        {
          host: '127.0.0.1',
          port: this.#server.port,
          path: '/mcp',
          headers: this.#headers({ accept: 'text/event-stream', 'last-event-id': this.lastEventId }),
        },
        (response) => {
          if (response.statusCode !== 200)
            return reject(new Error(`the stream was refused: ${response.statusCode}`))
          this.#streams.add(response)
          let pieces: string[] = []
          response.setEncoding('utf8').on('data', (piece: string) => {
            pieces.push(piece)
            // An event ends with an empty line; its two breaks may come in two pieces.
            if (!piece.includes('\n')) return
            const events = pieces.join('').split('\n\n')
            pieces = [events.pop() ?? '']
            for (const event of events) this.#hear(event)
          })
          response.on('error', () => undefined)
          response.on('close', () => {
            this.#streams.delete(response)
            this.#arrived.emit()
          })
          resolve()
        },
      )
      out.on('error', reject)
      out.end()
    })
  }

  /** How many streams stand. */
  get streams(): number {
    return this.#streams.size
  }

  /** Breaks every stream off, as a lost connection does. */
  cut(): void {
    for (const stream of this.#streams) stream.destroy()
    this.#streams.clear()
  }

  /** The first event, past or future, that satisfies; each is given out once. */
  take(
    method: string,
    satisfies: (params: Record<string, unknown>) => boolean = () => true,
  ): Promise<HeardEvent> {
    return this.until(() => {
      const index = this.heard.findIndex((event) => event.method === method && satisfies(event.params))
      return index < 0 ? undefined : this.heard.splice(index, 1)[0]
    })
  }

  /** Resolves with the first thing that `look` finds after something has come or a stream has ended. */
  until<T>(look: () => T | undefined): Promise<T> {
    return new Promise((resolve) => {
      const found = look()
      if (found !== undefined) return resolve(found)
      const listening = this.#arrived.on(() => {
        const now = look()
        if (now === undefined) return
        listening.dispose()
        resolve(now)
      })
    })
  }

  #hear(event: string): void {
    let data: string | undefined
    let id: string | undefined
    for (const line of event.split('\n')) {
      if (line.startsWith('data: ')) data = (data ?? '') + line.slice(6)
      else if (line.startsWith('id: ')) id = line.slice(4)
      else if (line.startsWith(':')) this.comments += 1
    }
    if (id !== undefined) this.lastEventId = id
    if (data !== undefined) {
      const { method, params } = JSON.parse(data) as { method: string; params: Record<string, unknown> }
      this.heard.push({ id, method, params })
    }
    this.#arrived.emit()
  }

  #headers(more: Record<string, string | undefined>): Record<string, string> {
    const headers: Record<string, string | undefined> = {
      authorization: `Bearer ${this.#server.token}`,
      'mcp-session-id': this.session,
      'mcp-protocol-version': this.session === undefined ? undefined : '2025-06-18',
      ...more,
    }
    const entries = Object.entries(headers).filter(
      (entry): entry is [string, string] => entry[1] !== undefined,
    )
    return Object.fromEntries(entries)
  }
}
