import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/**
 * A Gemini API on loopback that answers by a script, so that a real command line runs without a model. Only the
 * wire's shapes are kept here; nothing a program sends is stored outside the process.
 */

/** One answer of the model: a text, or calls of tools. */
export type GeminiReply =
  | { text: string }
  | { calls: readonly { name: string; args: Record<string, unknown> }[] }

/** What a tool gave back to the model. */
export interface FunctionResult {
  name: string
  /** All texts in it. */
  text: string
}

/** One request to the model, read for the script and for the test's expectations. */
export interface SeenPrompt {
  /** Counts from 0 over all requests. */
  index: number
  /** Whether this is the conversation itself: it offers tools that write. */
  main: boolean
  tools: readonly string[]
  /** All text of the conversation and of the system's instruction. */
  everything: string
  /** All text since the last answer of the model. */
  latest: string
  /** Tool results since the last answer of the model. */
  results: readonly FunctionResult[]
}

/** Decides what is answered, from the request and all requests before it. */
export type GeminiScript = (prompt: SeenPrompt, before: readonly SeenPrompt[]) => GeminiReply

/** The running API; it speaks OpenAI's chat format too, which Qwen Code uses. */
export interface GeminiApi {
  url: string
  prompts: readonly SeenPrompt[]
  /** Changes the script for the requests to come. */
  setScript(script: GeminiScript): void
  /** The first request, also an earlier one, that the test is looking for. Rejects after `limit` milliseconds. */
  waitFor(wanted: (prompt: SeenPrompt) => boolean, limit?: number): Promise<SeenPrompt>
  close(): Promise<void>
}

type Part = Record<string, unknown>
interface Content {
  role?: string
  parts?: readonly Part[]
}

/** Starts the API on a free port of 127.0.0.1. */
export async function startGeminiApi(script: GeminiScript): Promise<GeminiApi> {
  let current = script
  const prompts: SeenPrompt[] = []
  const waiting = new Set<(prompt: SeenPrompt) => void>()

  const server = createServer((request, response) => {
    answer(request, response).catch(() => response.destroy())
  })

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const path = (request.url ?? '/').split('?')[0] ?? ''
    const body = JSON.parse((await readBody(request)) || '{}') as Record<string, unknown>
    const isGemini = /:(streamG|g)enerateContent$/.test(path)
    const isChat = path.endsWith('/chat/completions')
    if (!isGemini && !isChat)
      return sendJson(response, path.endsWith(':countTokens') ? { totalTokens: 10 } : {})
    const prompt = isGemini ? readGemini(body, prompts.length) : readChat(body, prompts.length)
    const before = [...prompts]
    prompts.push(prompt)
    for (const hear of [...waiting]) hear(prompt)
    const reply = current(prompt, before)
    if (isChat) return sendChat(response, body['stream'] === true, reply, prompt.index)
    if (path.endsWith(':streamGenerateContent')) return sendEvents(response, [geminiAnswer(reply)], false)
    sendJson(response, geminiAnswer(reply))
  }

  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(0, '127.0.0.1', resolve)
  })
  const { port } = server.address() as AddressInfo

  return {
    url: `http://127.0.0.1:${port}`,
    prompts,
    setScript(next) {
      current = next
    },
    waitFor(wanted, limit = 30_000) {
      const found = prompts.find(wanted)
      if (found) return Promise.resolve(found)
      return new Promise((resolve, reject) => {
        const timer = setTimeout(() => {
          waiting.delete(hear)
          reject(new Error(`no such request within ${limit} ms; ${prompts.length} others came`))
        }, limit)
        const hear = (prompt: SeenPrompt): void => {
          if (!wanted(prompt)) return
          clearTimeout(timer)
          waiting.delete(hear)
          resolve(prompt)
        }
        waiting.add(hear)
      })
    },
    close() {
      server.closeAllConnections()
      return new Promise((resolve) => server.close(() => resolve()))
    },
  }
}

async function readBody(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks).toString('utf8')
}

function sendJson(response: ServerResponse, body: unknown): void {
  response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body))
}

function sendEvents(response: ServerResponse, events: readonly unknown[], isChat: boolean): void {
  response.writeHead(200, { 'content-type': 'text/event-stream' })
  for (const event of events) response.write(`data: ${JSON.stringify(event)}\r\n\r\n`)
  if (isChat) response.write('data: [DONE]\r\n\r\n')
  response.end()
}

const usage = { promptTokenCount: 10, candidatesTokenCount: 5, totalTokenCount: 15 }

function geminiAnswer(reply: GeminiReply): unknown {
  const parts =
    'text' in reply ? [{ text: reply.text }] : reply.calls.map((call) => ({ functionCall: { ...call } }))
  return {
    candidates: [{ index: 0, content: { role: 'model', parts }, finishReason: 'STOP' }],
    usageMetadata: usage,
    modelVersion: 'scripted',
  }
}

function sendChat(response: ServerResponse, isStream: boolean, reply: GeminiReply, index: number): void {
  const calls =
    'calls' in reply
      ? reply.calls.map(({ name, args }, number) => ({
          index: number,
          id: `call_${index}_${number}`,
          type: 'function',
          function: { name, arguments: JSON.stringify(args) },
        }))
      : undefined
  const message = {
    role: 'assistant',
    content: 'text' in reply ? reply.text : null,
    ...(calls ? { tool_calls: calls } : {}),
  }
  const finish = calls ? 'tool_calls' : 'stop'
  const head = { id: `chat_${index}`, created: 1, model: 'scripted' }
  const counts = { prompt_tokens: 10, completion_tokens: 5, total_tokens: 15 }
  if (!isStream) {
    const choices = [{ index: 0, message, finish_reason: finish }]
    return sendJson(response, { ...head, object: 'chat.completion', choices, usage: counts })
  }
  const chunk = (delta: unknown, reason: string | null): unknown => ({
    ...head,
    object: 'chat.completion.chunk',
    choices: [{ index: 0, delta, finish_reason: reason }],
  })
  sendEvents(response, [chunk(message, null), { ...(chunk({}, finish) as object), usage: counts }], true)
}

function readGemini(body: Record<string, unknown>, index: number): SeenPrompt {
  const contents = (body['contents'] ?? []) as readonly Content[]
  const declared = (body['tools'] ?? []) as readonly { functionDeclarations?: readonly { name: string }[] }[]
  const after = contents.slice(contents.findLastIndex(({ role }) => role === 'model') + 1)
  const parts = after.flatMap((content) => content.parts ?? [])
  return seen(index, {
    tools: declared.flatMap((tool) => tool.functionDeclarations ?? []).map(({ name }) => name),
    everything: [textsOf(body['systemInstruction']), textsOf(contents)].join('\n'),
    latest: textsOf(after),
    results: parts.flatMap((part) => {
      const result = part['functionResponse'] as { name: string; response: unknown } | undefined
      return result ? [{ name: result.name, text: textsOf(result.response) }] : []
    }),
  })
}

function readChat(body: Record<string, unknown>, index: number): SeenPrompt {
  const messages = (body['messages'] ?? []) as readonly Record<string, unknown>[]
  const declared = (body['tools'] ?? []) as readonly { function?: { name: string } }[]
  const after = messages.slice(messages.findLastIndex(({ role }) => role === 'assistant') + 1)
  return seen(index, {
    tools: declared.flatMap((tool) => tool.function?.name ?? []),
    everything: textsOf(messages),
    latest: textsOf(after),
    results: after.flatMap((message) =>
      message['role'] === 'tool' ? [{ name: '', text: textsOf(message['content']) }] : [],
    ),
  })
}

function seen(index: number, read: Omit<SeenPrompt, 'index' | 'main'>): SeenPrompt {
  return { index, main: read.tools.includes('write_file'), ...read }
}

/** Every string in a value, one after another. */
function textsOf(value: unknown): string {
  if (typeof value === 'string') return value
  if (typeof value !== 'object' || value === null) return ''
  return Object.values(value).map(textsOf).filter(Boolean).join('\n')
}
