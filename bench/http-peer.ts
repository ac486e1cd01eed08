import { Agent, request, type IncomingMessage } from 'node:http'

/** Where a server is, and what it lets in by. */
export interface HttpAddress {
  port: number
  token: string
}

/** A client of MCP over HTTP, as bare as can be; one connection that stays open for each call in flight. */
export class HttpPeer {
  readonly #server: HttpAddress
  readonly #agent = new Agent({ keepAlive: true, maxSockets: 64 })
  readonly #closing: IncomingMessage[] = []
  #session: string | undefined
  #next = 0

  constructor(server: HttpAddress) {
    this.#server = server
  }

  static async open(server: HttpAddress): Promise<HttpPeer> {
    const peer = new HttpPeer(server)
    const clientInfo = { name: 'bench', version: '1' }
    await peer.request('initialize', { protocolVersion: '2025-06-18', capabilities: {}, clientInfo })
    return peer
  }

  /** Opens the stream; `hear` is told of each event. */
  listen(hear: () => void): Promise<void> {
    return new Promise((resolve, reject) => {
      const out = request(this.#options('GET', 0), (response) => {
        this.#closing.push(response)
        response.setEncoding('utf8').on('data', (text: string) => {
          for (const piece of text.split('\n')) if (piece.startsWith('data: ')) hear()
        })
        response.on('error', () => undefined)
        resolve()
      })
      out.on('error', reject)
      out.end()
    })
  }

  request(method: string, params: unknown): Promise<string> {
    const body = JSON.stringify({ jsonrpc: '2.0', id: (this.#next += 1), method, params })
    return this.post(body)
  }

  post(body: string): Promise<string> {
    return new Promise((resolve, reject) => {
      const out = request(this.#options('POST', Buffer.byteLength(body)), (response) => {
        const session = response.headers['mcp-session-id']
        if (typeof session === 'string') this.#session = session
        let text = ''
        response.setEncoding('utf8').on('data', (piece: string) => (text += piece))
        response.on('end', () => resolve(text))
        response.on('error', reject)
      })
      out.on('error', reject)
      out.end(body)
    })
  }

  call(): Promise<string> {
    return this.request('tools/call', { name: 'closeDiff', arguments: { filePath: '/nowhere/a.ts' } })
  }

  close(): void {
    for (const stream of this.#closing) stream.destroy()
    this.#agent.destroy()
  }

  #options(method: string, size: number): object {
    return {
      host: '127.0.0.1',
      port: this.#server.port,
      path: '/mcp',
      method,
      agent: method === 'GET' ? false : this.#agent,
      headers: {
        authorization: `Bearer ${this.#server.token}`,
        accept: method === 'GET' ? 'text/event-stream' : 'application/json, text/event-stream',
        ...(method === 'GET' ? {} : { 'content-type': 'application/json', 'content-length': size }),
        ...(this.#session === undefined ? {} : { 'mcp-session-id': this.#session }),
      },
    }
  }
}
