import type { ServerResponse } from 'node:http'
import { type Exchange, type ScriptedApi, sendJson, startScriptedApi } from './scripted-api'

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
export type GeminiApi = ScriptedApi<SeenPrompt, GeminiScript>

type Part = Record<string, unknown>
interface Content {
  role?: string
  parts?: readonly Part[]
}

/** Starts the API on a free port of 127.0.0.1. */
export function startGeminiApi(script: GeminiScript): Promise<GeminiApi> {
  return startScriptedApi(script, answer)
}

async function answer(exchange: Exchange<SeenPrompt, GeminiScript>): Promise<void> {
  const { path, response, requests } = exchange
  const body = JSON.parse(exchange.body || '{}') as Record<string, unknown>
  const isGemini = /:(streamG|g)enerateContent$/.test(path)
  const isChat = path.endsWith('/chat/completions')
  if (!isGemini && !isChat) {
    return sendJson(response, 200, path.endsWith(':countTokens') ? { totalTokens: 10 } : {})
  }
  const prompt = isGemini ? readGemini(body, requests.length) : readChat(body, requests.length)
  const reply = exchange.script(prompt, exchange.note(prompt))
  if (isChat) return sendChat(response, body['stream'] === true, reply, prompt.index)
  if (path.endsWith(':streamGenerateContent')) return sendEvents(response, [geminiAnswer(reply)], false)
  sendJson(response, 200, geminiAnswer(reply))
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
    return sendJson(response, 200, { ...head, object: 'chat.completion', choices, usage: counts })
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
