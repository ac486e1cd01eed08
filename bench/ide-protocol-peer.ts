import { WebSocket } from 'ws'

/** Where a server under measurement listens. */
export interface ServerAddress {
  port: number
  token: string
}

/** A client as bare as can be, the same for both servers. */
export class Peer {
  readonly socket: WebSocket
  readonly #waiting = new Map<number, () => void>()
  #nextId = 0

  constructor({ port, token }: ServerAddress) {
    this.socket = new WebSocket(`ws://127.0.0.1:${port}/`, 'mcp', {
      headers: { 'x-claude-code-ide-authorization': token },
      perMessageDeflate: false,
      maxPayload: 64 * 1024 * 1024,
    })
    this.socket.on('message', (data: Buffer) => {
      const { id } = JSON.parse(data.toString()) as { id?: number }
      if (id === undefined) return
      const heard = this.#waiting.get(id)
      this.#waiting.delete(id)
      heard?.()
    })
  }

  /** Connects, initializes and lists the tools, as a command line does. */
  static async open(address: ServerAddress): Promise<Peer> {
    const peer = new Peer(address)
    await new Promise<void>((resolve, reject) => {
      peer.socket.once('open', resolve)
      peer.socket.once('error', reject)
    })
    const clientInfo = { name: 'bench', version: '1' }
    await peer.request('initialize', { protocolVersion: '2025-11-25', capabilities: {}, clientInfo })
    peer.socket.send('{"jsonrpc":"2.0","method":"notifications/initialized"}')
    await peer.request('tools/list', {})
    return peer
  }

  request(method: string, params: unknown): Promise<void> {
    const id = (this.#nextId += 1)
    return new Promise((resolve) => {
      this.#waiting.set(id, resolve)
      this.socket.send(JSON.stringify({ jsonrpc: '2.0', id, method, params }))
    })
  }

  /** The call that command lines make most often. */
  call(): Promise<void> {
    return this.request('tools/call', { name: 'getDiagnostics', arguments: { uri: 'file:///p/a.ts' } })
  }

  close(): Promise<void> {
    return new Promise((resolve) => {
      this.socket.once('close', () => resolve())
      this.socket.close()
    })
  }
}
