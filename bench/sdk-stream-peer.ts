import { once } from 'node:events'
import { WebSocket } from 'ws'

/**
 * A program that speaks Claude Code's stream protocol by WebSocket, for streams of a benchmark's own pace. It says the
 * same to all whom it is connected to.
 */
export class SdkStreamPeer {
  readonly #sockets: readonly WebSocket[]
  readonly #session: string
  #messages = 0

  private constructor(sockets: readonly WebSocket[], session: string) {
    this.#sockets = sockets
    this.#session = session
    // The host asks what it is; it knows no answer.
    for (const socket of sockets) socket.on('message', () => undefined)
  }

  static async connect(session: string, ...addresses: readonly string[]): Promise<SdkStreamPeer> {
    const sockets = addresses.map((address) => new WebSocket(address, { perMessageDeflate: false }))
    await Promise.all(sockets.map((socket) => once(socket, 'open')))
    return new SdkStreamPeer(sockets, session)
  }

  /** A turn begins, in a folder. */
  begin(cwd: string): void {
    this.#say({ type: 'system', subtype: 'init', cwd, session_id: this.#session, model: 'm' })
  }

  /** A whole message of the model. */
  reply(text: string): void {
    const id = `m${this.#messages++}`
    const message = { id, type: 'message', role: 'assistant', model: 'm', content: [{ type: 'text', text }] }
    this.#say({ type: 'assistant', message, uuid: id, parent_tool_use_id: null, session_id: this.#session })
  }

  /** The beginning of a message that comes in pieces. */
  open(): void {
    const message = {
      id: `m${this.#messages++}`,
      type: 'message',
      role: 'assistant',
      model: 'm',
      content: [],
    }
    this.#event({ type: 'message_start', message })
    this.#event({ type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } })
  }

  piece(text: string): void {
    this.#event({ type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text } })
  }

  /** The message is complete, and the turn is over. */
  end(): void {
    this.#event({ type: 'content_block_stop', index: 0 })
    this.#event({ type: 'message_stop' })
    this.#say({ type: 'result', subtype: 'success', session_id: this.#session, modelUsage: {} })
  }

  /** Resolves when all of it has left this process. */
  async sent(): Promise<void> {
    await Promise.all(
      this.#sockets.map((socket) => {
        socket.ping()
        return once(socket, 'pong')
      }),
    )
  }

  close(): void {
    for (const socket of this.#sockets) socket.terminate()
  }

  #event(event: object): void {
    this.#say({ type: 'stream_event', event, session_id: this.#session, parent_tool_use_id: null })
  }

  #say(message: object): void {
    const line = `${JSON.stringify(message)}\n`
    for (const socket of this.#sockets) socket.send(line)
  }
}
