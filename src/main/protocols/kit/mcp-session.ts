import { objectOf } from '../../../shared/json'
import type { Disposable } from '../../../shared/lifetime'
import { errorText, notificationText, readMessage, resultText, rpcErrors, type RpcId } from './json-rpc'
import type { McpMethods } from './mcp-methods'
import type { Tool, ToolCall, ToolResult } from './mcp-tool'

/** What a session needs of its connection and of the dialect it serves. */
export interface SessionOptions<Context> {
  methods: McpMethods<Context>
  context: Context
  /** Sends one message. Not called after disposal. */
  send(text: string): void
  /** The client introduced itself; `params` of its initialize, unchecked. */
  onInitialize?(params: unknown): void
  /** A notification other than the protocol's own. `params` is unchecked. */
  onNotification?(method: string, params: unknown): void
  /** A tool threw, which is a bug in the tool. The client has been answered with -32603. */
  onToolFailure?(tool: string, error: unknown): void
}

/** How many calls of one connection may be unanswered at once. */
const inFlightLimit = 1024

/** The answer to a message that is not JSON. */
export const notJson = errorText(null, { code: rpcErrors.parse, message: 'The message is not JSON.' })

/** Takes the one answer to a message: wire text, or nothing where none is due or the client is gone. */
export type Sink = (text: string | undefined) => void

/**
 * The server's side of one MCP connection, whatever carries it. Every request is answered exactly once, except where
 * the client cancels it: then not at all. A bad message is answered with its error and the connection lives on.
 */
export class McpSession<Context> implements Disposable {
  readonly #options: SessionOptions<Context>
  readonly #calls = new Map<RpcId, OpenCall>()
  #disposed = false

  constructor(options: SessionOptions<Context>) {
    this.#options = options
  }

  /** How many calls wait for their answer. */
  get inFlight(): number {
    return this.#calls.size
  }

  /**
   * Takes one parsed message, or an array of them (a batch, answered by one array); undefined for what was not JSON.
   * The answer goes to `answer`, called once, if the transport has a place of its own for it; else it is sent.
   */
  receive(value: unknown, answer: Sink = this.#put): void {
    if (this.#disposed) return answer(undefined)
    if (value === undefined) return answer(notJson)
    if (!Array.isArray(value)) return this.#take(value, answer)
    if (value.length === 0) {
      return answer(errorText(null, { code: rpcErrors.invalidRequest, message: 'The batch is empty.' }))
    }
    if (value.length > inFlightLimit) {
      const message = `A batch may have ${inFlightLimit} messages at most.`
      return answer(errorText(null, { code: rpcErrors.invalidRequest, message }))
    }
    const texts: string[] = []
    let open = value.length
    for (const item of value as readonly unknown[]) {
      this.#take(item, (text) => {
        if (text !== undefined) texts.push(text)
        open -= 1
        if (open === 0) answer(texts.length > 0 ? `[${texts.join(',')}]` : undefined)
      })
    }
  }

  /** Sends a notification; does nothing after disposal. */
  notify(method: string, params: unknown): void {
    if (!this.#disposed) this.#options.send(notificationText(method, params))
  }

  /** Ends the session because the connection is gone. */
  dispose(): void {
    this.end('connection-lost')
  }

  /** Ends the session: every open call's signal aborts with `reason`, and nothing more is sent. */
  end(reason: 'connection-lost' | 'shutdown'): void {
    if (this.#disposed) return
    this.#disposed = true
    const calls = [...this.#calls.values()]
    this.#calls.clear()
    for (const call of calls) call.abort(reason)
  }

  readonly #put: Sink = (text) => {
    if (text !== undefined && !this.#disposed) this.#options.send(text)
  }

  #take(value: unknown, sink: Sink): void {
    const message = readMessage(value)
    switch (message.kind) {
      case 'request':
        return this.#request(message.id, message.method, message.params, sink)
      case 'notification':
        this.#notification(message.method, message.params)
        return sink(undefined)
      case 'response':
        return sink(undefined)
      case 'invalid':
        return sink(errorText(message.id, message.error))
    }
  }

  #notification(method: string, params: unknown): void {
    if (method === 'notifications/cancelled') {
      const id = (params as { requestId?: RpcId } | undefined)?.requestId
      if (id !== undefined) this.#calls.get(id)?.abort('cancelled')
      return
    }
    if (method === 'notifications/initialized') return
    this.#options.onNotification?.(method, params)
  }

  #request(id: RpcId, method: string, params: unknown, sink: Sink): void {
    if (method === 'tools/call') return this.#call(id, params, sink)
    const answer = this.#options.methods.answer(method, params)
    if (method === 'initialize' && typeof answer === 'string') this.#options.onInitialize?.(params)
    sink(typeof answer === 'string' ? resultText(id, answer) : errorText(id, answer))
  }

  #call(id: RpcId, params: unknown, sink: Sink): void {
    const refuse = (code: number, message: string): void => sink(errorText(id, { code, message }))
    const { name, arguments: args } = (params ?? {}) as { name?: unknown; arguments?: unknown }
    if (typeof name !== 'string') {
      return refuse(rpcErrors.invalidParams, 'A call must name its tool as a string.')
    }
    const tool = this.#options.methods.tool(name)
    if (tool === undefined) return refuse(rpcErrors.invalidParams, `There is no tool named ${quote(name)}.`)
    const prepared = tool.prepare(args)
    if (typeof prepared === 'string') return refuse(rpcErrors.invalidParams, prepared)
    if (this.#calls.has(id)) {
      // Answered without an id: with it, the first call would seem to be answered twice.
      const message = `The id ${quote(String(id))} belongs to a call that is not answered yet.`
      return sink(errorText(null, { code: rpcErrors.invalidRequest, message }))
    }
    if (this.#calls.size >= inFlightLimit) {
      return refuse(rpcErrors.invalidRequest, `More than ${inFlightLimit} calls wait for an answer.`)
    }
    this.#run(id, tool, prepared.run, sink)
  }

  #run(
    id: RpcId,
    tool: Tool<Context>,
    run: (context: Context, call: ToolCall) => ToolResult | Promise<ToolResult>,
    sink: Sink,
  ): void {
    // A cancelled call gets no answer (MCP, "Cancellation").
    const call = new OpenCall(String(id), (text) => {
      if (this.#calls.get(id) === call) this.#calls.delete(id)
      sink(text)
    })
    const succeed = (result: ToolResult): void => call.finish(resultText(id, JSON.stringify(result)))
    const failed = (error: unknown): void => {
      if (!call.over) this.#options.onToolFailure?.(tool.name, error)
      const message = `The tool ${tool.name} failed. Please try again.`
      call.finish(errorText(id, { code: rpcErrors.internal, message }))
    }
    this.#calls.set(id, call)
    try {
      const result = run(this.#options.context, call)
      if (result instanceof Promise) result.then(succeed, failed)
      else succeed(result)
    } catch (error) {
      failed(error)
    }
  }
}

/** A call that waits for its answer. Its signal is made when the tool asks for it, since most tools never do. */
class OpenCall implements ToolCall {
  readonly id: string
  readonly #done: (text: string | undefined) => void
  #over = false
  #controller: AbortController | undefined
  #reason: string | undefined

  constructor(id: string, done: (text: string | undefined) => void) {
    this.id = id
    this.#done = done
  }

  /** Whether it has been answered, or never will be. */
  get over(): boolean {
    return this.#over
  }

  get signal(): AbortSignal {
    if (this.#controller === undefined) {
      this.#controller = new AbortController()
      if (this.#reason !== undefined) this.#controller.abort(this.#reason)
    }
    return this.#controller.signal
  }

  /** Answers, the first time; later answers go nowhere. */
  finish(text: string | undefined): void {
    if (this.#over) return
    this.#over = true
    this.#done(text)
  }

  /** Ends it without an answer, and lets the tool know why. */
  abort(reason: string): void {
    if (this.#over) return
    this.#reason = reason
    this.finish(undefined)
    this.#controller?.abort(reason)
  }
}

function quote(text: string): string {
  return JSON.stringify(text.length > 80 ? text.slice(0, 80) + '…' : text)
}

/** How a client calls itself in the `params` of its initialize; each at most 100 characters. */
export function readClientInfo(params: unknown): { name?: string; version?: string } {
  const { name, version } = objectOf(objectOf(params)?.['clientInfo']) ?? {}
  return {
    ...(typeof name === 'string' ? { name: name.slice(0, 100) } : {}),
    ...(typeof version === 'string' ? { version: version.slice(0, 100) } : {}),
  }
}
