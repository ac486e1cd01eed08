import { once } from 'node:events'
import { WebSocket } from 'ws'

/** A program that speaks Claude Code's stream protocol by WebSocket, for streams of a benchmark's own pace. */
export class SdkStreamPeer {
  readonly #socket: WebSocket
  readonly #session: string
  #messages = 0

  private constructor(socket: WebSocket, session: string) {
    this.#socket = socket
    this.#session = session
    // The host asks what it is; it knows no answer.
    socket.on('message', () => undefined)
  }

  static async connect(address: string, session: string): Promise<SdkStreamPeer> {
    const socket = new WebSocket(address, { perMessageDeflate: false })
    await once(socket, 'open')
    return new SdkStreamPeer(socket, session)
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
    await new Promise<void>((resolve) => this.#socket.ping(undefined, undefined, () => resolve()))
    await once(this.#socket, 'pong')
  }

  close(): void {
    this.#socket.terminate()
  }

  #event(event: object): void {
    this.#say({ type: 'stream_event', event, session_id: this.#session, parent_tool_use_id: null })
  }

  #say(message: object): void {
    this.#socket.send(`${JSON.stringify(message)}\n`)
  }
}
