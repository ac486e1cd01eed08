import { randomUUID } from 'node:crypto'
import WebSocket from 'ws'
import { Emitter } from '../src/shared/lifetime'

/**
 * A program behind `--sdk-url`, written from the protocol's first public description alone: it says nothing until it is
 * spoken to, begins each turn with `init`, asks with `tool_input`, and takes only the answers described there.
 */

/** What the server sends. */
export interface ServerMessage {
  type: string
  message?: { role: string; content: string | { type: string; text?: string }[] }
  response?: {
    subtype: string
    request_id: string
    result?: { behavior: string; message?: string; updatedInput?: Record<string, string> }
  }
}

export class SdkUrlClient {
  readonly session: string
  readonly cwd: string
  /** The uuid of its last message that has one: a command line that connects again names it in a header. */
  lastSaid = ''
  readonly got: ServerMessage[] = []
  readonly opened: Promise<void>
  readonly closed: Promise<{ code: number; reason: string }>
  readonly #socket: WebSocket
  readonly #came = new Emitter<void>()
  #taken = 0

  /** `before`: itself before it was cut off. */
  constructor(url: string, cwd: string, before?: SdkUrlClient) {
    this.cwd = cwd
    this.session = before?.session ?? randomUUID()
    this.#socket = new WebSocket(url, before ? { headers: { 'x-last-request-id': before.lastSaid } } : {})
    this.opened = new Promise((resolve, reject) => {
      this.#socket.once('open', resolve)
      this.#socket.once('error', reject)
    })
    this.opened.catch(() => undefined)
    this.#socket.on('error', () => undefined)
    this.closed = new Promise((resolve) =>
      this.#socket.once('close', (code, reason) => resolve({ code, reason: reason.toString() })),
    )
    this.#socket.on('message', (frame: Buffer) => {
      for (const line of frame.toString().split('\n')) {
        if (line.trim() !== '') this.got.push(JSON.parse(line) as ServerMessage)
      }
      this.#came.emit()
    })
  }

  /** The next message of a type that has not been taken. */
  async next(type: string): Promise<ServerMessage> {
    for (;;) {
      while (this.#taken < this.got.length) {
        const message = this.got[this.#taken++]
        if (message?.type === type) return message
      }
      await new Promise<void>((resolve) => {
        const listening = this.#came.on(() => {
          listening.dispose()
          resolve()
        })
      })
    }
  }

  /** Waits for the person's prompt and begins the turn; gives the prompt's text. */
  async prompt(): Promise<string> {
    const { message } = await this.next('user')
    this.init()
    const content = message?.content ?? ''
    return typeof content === 'string' ? content : content.map(({ text }) => text ?? '').join('')
  }

  init(): void {
    this.send({
      ...{ type: 'system', subtype: 'init', cwd: this.cwd, session_id: this.session },
      ...{ tools: ['Bash', 'Edit'], mcp_servers: [], model: 'claude-opus-4-6', permissionMode: 'default' },
      ...{ slash_commands: ['compact'], apiKeySource: 'none', claude_code_version: '2.1.39' },
      ...{ output_style: 'default', agents: [], skills: [], plugins: [], uuid: randomUUID() },
      fast_mode_state: 'off',
    })
  }

  /** A delta in the shape that the description has, with its event named by a word. */
  progressWord(): void {
    this.send({ type: 'stream_event', event: 'content_block_delta', data: { text: 'hello' } })
  }

  assistant(...content: object[]): void {
    this.send({
      type: 'assistant',
      message: {
        ...{
          model: 'claude-opus-4-6',
          id: `msg_${randomUUID()}`,
          type: 'message',
          role: 'assistant',
          content,
        },
        ...{ stop_reason: null, stop_sequence: null },
        usage: { input_tokens: 3, output_tokens: 21, service_tier: 'standard' },
      },
      ...{ parent_tool_use_id: null, session_id: this.session, uuid: randomUUID() },
    })
  }

  toolProgress(tool: string): void {
    const rest = { progress: 50, total: 100, message: 'Reading files...' }
    this.send({ type: 'tool_progress', tool_use_id: tool, ...rest })
  }

  /** Asks whether a tool may be used; gives the answer to it. */
  async ask(tool: string, input: object, id: string = randomUUID()): Promise<ServerMessage['response']> {
    this.send({
      type: 'control_request',
      request_id: id,
      request: { subtype: 'can_use_tool', tool_name: tool, tool_input: input },
    })
    for (;;) {
      const { response } = await this.next('control_response')
      if (response?.request_id === id) return response
    }
  }

  result(text: string): void {
    this.send({
      ...{ type: 'result', subtype: 'success', is_error: false, duration_ms: 2814, duration_api_ms: 2770 },
      ...{ num_turns: 1, result: text, stop_reason: null, session_id: this.session, total_cost_usd: 0.06 },
      usage: { input_tokens: 3, output_tokens: 21, service_tier: 'standard' },
      modelUsage: {
        'claude-opus-4-6': { inputTokens: 3, outputTokens: 21, costUSD: 0.06, contextWindow: 200_000 },
      },
      ...{ permission_denials: [], uuid: randomUUID() },
    })
  }

  /** Sends a message; a text is sent as it is. */
  send(message: object | string | Buffer): void {
    if (typeof message === 'object' && 'uuid' in message) this.lastSaid = String(message.uuid)
    if (typeof message === 'string' || Buffer.isBuffer(message)) this.#socket.send(message)
    else this.#socket.send(`${JSON.stringify(message)}\n`)
  }

  close(): void {
    this.#socket.close()
  }
}
