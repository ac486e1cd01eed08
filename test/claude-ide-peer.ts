import { WebSocket } from 'ws'
import { type Disposable, Emitter } from '../src/shared/lifetime'

const header = 'x-claude-code-ide-authorization'

/** One frame as it came. */
export type Frame = Record<string, unknown> & { id?: unknown; method?: unknown }

/** A bare client that speaks in frames. */
export class Peer implements Disposable {
  frames: Frame[] = []
  #arrived = new Emitter<void>()
  closed: Promise<number>
  #next = 0

  constructor(readonly socket: WebSocket) {
    socket.on('message', (data: Buffer) => {
      this.frames.push(JSON.parse(data.toString()) as Frame)
      this.#arrived.emit()
    })
    this.closed = new Promise((resolve) => socket.once('close', resolve))
    socket.on('error', () => undefined)
  }

  static connect(
    server: { port: number; token: string },
    headers: Record<string, string> = {},
  ): Promise<Peer> {
    const socket = new WebSocket(`ws://127.0.0.1:${server.port}/`, 'mcp', {
      headers: { [header]: server.token, ...headers },
      perMessageDeflate: false,
    })
    const peer = new Peer(socket)
    return new Promise((resolve, reject) => {
      socket.once('open', () => resolve(peer))
      socket.once('unexpected-response', (_request, response) =>
        reject(new Error(String(response.statusCode))),
      )
      socket.once('error', reject)
    })
  }

  dispose(): void {
    this.socket.terminate()
  }

  send(value: unknown): void {
    this.socket.send(typeof value === 'string' ? value : JSON.stringify(value))
  }

  frame(wanted: (frame: Frame) => boolean): Promise<Frame> {
    const found = this.frames.find(wanted)
    if (found) return Promise.resolve(found)
    return new Promise((resolve) => {
      const listening = this.#arrived.on(() => {
        const now = this.frames.find(wanted)
        if (!now) return
        listening.dispose()
        resolve(now)
      })
    })
  }

  request(method: string, params: unknown): Promise<Frame> {
    const id = (this.#next += 1)
    this.send({ jsonrpc: '2.0', id, method, params })
    return this.frame((frame) => frame.id === id)
  }

  /** Calls a tool; gives its texts, or the error. */
  async call(name: string, args: unknown = {}): Promise<unknown> {
    const answer = await this.request('tools/call', { name, arguments: args })
    const result = answer['result'] as { content: { text: string }[]; isError?: boolean } | undefined
    if (result === undefined) return answer['error']
    const texts = result.content.map((part) => part.text)
    return result.isError === true ? { error: texts[0] } : texts
  }

  diff(path: string, contents: string, tab = 'a tab'): Promise<unknown> {
    return this.call('openDiff', {
      old_file_path: path,
      new_file_path: path,
      new_file_contents: contents,
      tab_name: tab,
    })
  }
}
