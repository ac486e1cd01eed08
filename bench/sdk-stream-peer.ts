import { once } from 'node:events'
import type { Socket } from 'node:net'
import { WebSocket } from 'ws'

/** A way to somebody who hears a stream. */
export interface Way {
  send(line: string): void
  /** Resolves when all of it has left this process. */
  sent(): Promise<unknown>
  close(): void
}

export async function byWebSocket(address: string): Promise<Way> {
  const socket = new WebSocket(address, { perMessageDeflate: false })
  // The host asks what it is; it knows no answer.
  socket.on('message', () => undefined)
  await once(socket, 'open')
  return {
    send: (line) => socket.send(line),
    sent() {
      socket.ping()
      return once(socket, 'pong')
    },
    close: () => socket.terminate(),
  }
}

/** Through a program that says what comes by this socket. */
export function byRelay(socket: Socket): Way {
  socket.setNoDelay(true)
  socket.on('error', () => undefined)
  return {
    send: (line) => socket.write(line),
    sent: () => new Promise((resolve) => socket.write('', resolve)),
    close: () => socket.destroy(),
  }
}

/**
 * A program that speaks Claude Code's stream protocol, for streams of a benchmark's own pace. It says the same to all
 * whom it has a way to.
 */
export class SdkStreamPeer {
  readonly #session: string
  readonly #ways: readonly Way[]
  #messages = 0

  constructor(session: string, ...ways: readonly Way[]) {
    this.#session = session
    this.#ways = ways
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
    await Promise.all(this.#ways.map((way) => way.sent()))
  }

  close(): void {
    for (const way of this.#ways) way.close()
  }

  #event(event: object): void {
    this.#say({ type: 'stream_event', event, session_id: this.#session, parent_tool_use_id: null })
  }

  #say(message: object): void {
    const line = `${JSON.stringify(message)}\n`
    for (const way of this.#ways) way.send(line)
  }
}
