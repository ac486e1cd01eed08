import type { ServerResponse } from 'node:http'
import { type Exchange, type ScriptedApi, sendJson, startScriptedApi } from './scripted-api'

/**
 * A Messages API on loopback that answers by a script, so that a real command line runs without a model. Only the
 * wire's shapes are kept here; nothing a program sends is stored outside the process.
 */

/** One part of a scripted answer. A text given as an async iterable is sent piece by piece, at the test's pace. */
export type Block =
  | { type: 'text'; text: string | AsyncIterable<string> }
  | { type: 'thinking'; thinking: string }
  | { type: 'tool_use'; name: string; input: unknown; id?: string }

/** What the script answers: blocks in order, an HTTP error, or a connection that breaks off after some blocks. */
export type Reply =
  | { blocks: readonly Block[]; breakOff?: boolean }
  | { status: number; error: string; message: string; retryAfterSeconds?: number }

/** A tool's result as it came back with a request. */
export interface ToolResult {
  id: string
  text: string
  isError: boolean
}

/** One request to the API, read for the script and for the test's expectations. */
export interface SeenRequest {
  /** Counts from 0 over all requests. */
  index: number
  /** Counts from 0 over the requests of the conversation itself (those that offer tools that edit). */
  turn: number
  /** Whether this is the conversation itself and not a side question (a title, a summary, a probe). */
  main: boolean
  model: string
  stream: boolean
  /** The names of the tools offered. */
  tools: readonly string[]
  /** All text of all messages and of the system prompt: look here for hints the program gave to the model. */
  everything: string
  /** All text of the messages since the last answer of the model, hints included, in order. */
  latest: string
  /** Tool results since the last answer of the model. */
  results: readonly ToolResult[]
  /** The parsed body. */
  body: Record<string, unknown>
}

/** Decides what is answered, from the request and all requests before it. */
export type Script = (request: SeenRequest, before: readonly SeenRequest[]) => Reply | Promise<Reply>

/** The running API. */
export type MessagesApi = ScriptedApi<SeenRequest, Script>

/** An answer of one text. */
export function say(text: string): Reply {
  return { blocks: [{ type: 'text', text }] }
}

/** An answer that uses tools one after another. */
export function use(...tools: readonly { name: string; input: unknown; id?: string }[]): Reply {
  return { blocks: tools.map((tool) => ({ type: 'tool_use', ...tool })) }
}

/** A script that gives the conversation's answers in order, repeats the last one, and says "ok" to side questions. */
export function inOrder(...replies: readonly Reply[]): Script {
  return (request) => {
    if (!request.main) return say('ok')
    return replies[Math.min(request.turn, replies.length - 1)] ?? say('ok')
  }
}

/** Starts the API on a free port of 127.0.0.1. */
export function startMessagesApi(script: Script): Promise<MessagesApi> {
  return startScriptedApi(script, answer)
}

async function answer(exchange: Exchange<SeenRequest, Script>): Promise<void> {
  const { path, method, body, response, script } = exchange
  if (method === 'HEAD' || path === '/') return void response.writeHead(200).end()
  if (path === '/v1/messages/count_tokens') {
    return sendJson(response, 200, { input_tokens: Math.ceil(body.length / 4) })
  }
  if (path !== '/v1/messages' || method !== 'POST') {
    return sendJson(response, 404, { type: 'error', error: { type: 'not_found_error', message: 'not here' } })
  }
  const seen = readRequest(JSON.parse(body) as Record<string, unknown>, exchange.requests)
  const reply = await script(seen, exchange.note(seen))
  if (response.destroyed) return
  if ('status' in reply) {
    const wait = reply.retryAfterSeconds
    if (wait !== undefined) response.setHeader('retry-after', String(wait))
    const { error: type, message } = reply
    return sendJson(response, reply.status, { type: 'error', error: { type, message } })
  }
  await (seen.stream ? streamReply(response, seen, reply) : sendWhole(response, seen, reply))
}

interface Message {
  role: string
  content: string | readonly Record<string, unknown>[]
}

function readRequest(body: Record<string, unknown>, before: readonly SeenRequest[]): SeenRequest {
  const messages = (body['messages'] ?? []) as readonly Message[]
  const tools = ((body['tools'] ?? []) as readonly { name?: string }[]).map((tool) => tool.name ?? '')
  const main = tools.includes('Edit') || tools.includes('Write')
  const afterModel = messages.slice(messages.findLastIndex((message) => message.role === 'assistant') + 1)
  return {
    index: before.length,
    turn: before.filter((request) => request.main).length,
    main,
    model: String(body['model'] ?? ''),
    stream: body['stream'] === true,
    tools,
    everything: [textOf(body['system']), ...messages.map((message) => textOf(message.content))].join('\n'),
    latest: afterModel.map((message) => textOf(message.content)).join('\n'),
    results: afterModel.flatMap((message) => resultsOf(message.content)),
    body,
  }
}

function textOf(content: unknown): string {
  if (typeof content === 'string') return content
  if (!Array.isArray(content)) return ''
  const parts = content as readonly Record<string, unknown>[]
  return parts
    .map((part) => (typeof part['text'] === 'string' ? part['text'] : textOf(part['content'])))
    .join('\n')
}

function resultsOf(content: Message['content']): ToolResult[] {
  if (typeof content === 'string') return []
  return content
    .filter((part) => part['type'] === 'tool_result')
    .map((part) => ({
      id: String(part['tool_use_id']),
      text: textOf(part['content']),
      isError: part['is_error'] === true,
    }))
}

function stopReason(blocks: readonly Block[]): string {
  return blocks.some((block) => block.type === 'tool_use') ? 'tool_use' : 'end_turn'
}

function toolId(seen: SeenRequest, index: number, block: Extract<Block, { type: 'tool_use' }>): string {
  return block.id ?? `toolu_${seen.index}_${index}`
}

function envelope(seen: SeenRequest): Record<string, unknown> {
  return {
    id: `msg_${seen.index}`,
    type: 'message',
    role: 'assistant',
    model: seen.model,
    content: [],
    stop_reason: null,
    stop_sequence: null,
    usage: { input_tokens: 10, output_tokens: 1 },
  }
}

async function sendWhole(
  response: ServerResponse,
  seen: SeenRequest,
  reply: { blocks: readonly Block[] },
): Promise<void> {
  const content: unknown[] = []
  for (const [index, block] of reply.blocks.entries()) {
    if (block.type === 'text') content.push({ type: 'text', text: await gather(block.text) })
    else if (block.type === 'thinking') content.push({ ...block, signature: 'c2ln' })
    else
      content.push({ type: 'tool_use', id: toolId(seen, index, block), name: block.name, input: block.input })
  }
  sendJson(response, 200, { ...envelope(seen), content, stop_reason: stopReason(reply.blocks) })
}

async function gather(text: string | AsyncIterable<string>): Promise<string> {
  if (typeof text === 'string') return text
  let whole = ''
  for await (const piece of text) whole += piece
  return whole
}

async function streamReply(
  response: ServerResponse,
  seen: SeenRequest,
  reply: { blocks: readonly Block[]; breakOff?: boolean },
): Promise<void> {
  response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-cache' })
  const send = (event: Record<string, unknown>): void => {
    if (response.destroyed) return
    response.write(`event: ${String(event['type'])}\ndata: ${JSON.stringify(event)}\n\n`)
  }
  send({ type: 'message_start', message: envelope(seen) })
  for (const [index, block] of reply.blocks.entries()) {
    const start = (content_block: unknown): void =>
      send({ type: 'content_block_start', index, content_block })
    const delta = (value: unknown): void => send({ type: 'content_block_delta', index, delta: value })
    if (block.type === 'text') {
      start({ type: 'text', text: '' })
      if (typeof block.text === 'string') delta({ type: 'text_delta', text: block.text })
      else for await (const text of block.text) delta({ type: 'text_delta', text })
    } else if (block.type === 'thinking') {
      start({ type: 'thinking', thinking: '', signature: '' })
      delta({ type: 'thinking_delta', thinking: block.thinking })
      delta({ type: 'signature_delta', signature: 'c2ln' })
    } else {
      start({ type: 'tool_use', id: toolId(seen, index, block), name: block.name, input: {} })
      delta({ type: 'input_json_delta', partial_json: JSON.stringify(block.input) })
    }
    send({ type: 'content_block_stop', index })
  }
  if (reply.breakOff === true) return void response.destroy()
  const stop = { stop_reason: stopReason(reply.blocks), stop_sequence: null }
  send({ type: 'message_delta', delta: stop, usage: { output_tokens: 5 } })
  send({ type: 'message_stop' })
  response.end()
}
