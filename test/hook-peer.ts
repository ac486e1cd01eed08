import { request as httpRequest, type ClientRequest } from 'node:http'

/** What a hook's call was answered with. */
export interface HookAnswer {
  status: number
  body: Record<string, unknown>
}

/** A call that is on its way; `answer` rejects if its connection ends without one. */
export interface HookCalled {
  answer: Promise<HookAnswer>
  /** Closes the connection, as an interrupted agent does. */
  hangUp(): void
}

/** A bare client of the hook server: what Claude Code sends, without Claude Code. */
export class HookPeer {
  readonly #url: URL
  readonly #headers: Record<string, string>

  constructor(url: string, { terminal, token }: { terminal: string; token: string }) {
    this.#url = new URL(url)
    this.#headers = {
      'content-type': 'application/json',
      authorization: `Bearer ${token}`,
      'x-greenlight-terminal': terminal,
      'x-greenlight-parent': '',
    }
  }

  /** Sends a body, as JSON unless it is a text already. `headers` take the place of the usual ones; undefined leaves one out. */
  send(
    body: object | string | Buffer,
    {
      headers = {},
      method = 'POST',
      path = this.#url.pathname,
    }: { headers?: Record<string, string | undefined>; method?: string; path?: string } = {},
  ): HookCalled {
    const given = Object.entries({ ...this.#headers, ...headers }).filter(([, value]) => value !== undefined)
    let request: ClientRequest | undefined
    const answer = new Promise<HookAnswer>((resolve, reject) => {
      request = httpRequest(
        {
          ...{ host: '127.0.0.1', port: this.#url.port, method, path, agent: false },
          headers: Object.fromEntries(given) as Record<string, string>,
        },
        (response) => {
          const parts: Buffer[] = []
          response.on('data', (part: Buffer) => parts.push(part))
          response.on('error', reject)
          response.on('end', () => {
            const text = Buffer.concat(parts).toString('utf8')
            resolve({
              status: response.statusCode ?? 0,
              body: JSON.parse(text || '{}') as Record<string, unknown>,
            })
          })
        },
      )
      request.on('error', reject)
      request.end(typeof body === 'string' || Buffer.isBuffer(body) ? body : JSON.stringify(body))
    })
    // Whoever hangs up doesn't wait for it.
    answer.catch(() => undefined)
    return { answer, hangUp: () => request?.destroy() }
  }

  /** Sends a body and waits for the answer. */
  ask(...call: Parameters<HookPeer['send']>): Promise<HookAnswer> {
    return this.send(...call).answer
  }
}

/** A body of PreToolUse as Claude Code 2.1.330 sends it. */
export function beforeTool(
  tool: string,
  input: Record<string, unknown>,
  more: Record<string, unknown> = {},
): Record<string, unknown> {
  return {
    ...{
      session_id: '0b3f3c0e-0000-4000-8000-000000000001',
      prompt_id: 'p1',
      cwd: '/',
      transcript_path: '/t',
    },
    ...{ permission_mode: 'acceptEdits', hook_event_name: 'PreToolUse' },
    ...{ tool_name: tool, tool_input: input, tool_use_id: 'toolu_1' },
    ...more,
  }
}

/** What follows it once the tool has run. */
export function afterTool(
  before: Record<string, unknown>,
  more: Record<string, unknown> = {},
): Record<string, unknown> {
  return { ...before, hook_event_name: 'PostToolUse', tool_response: {}, ...more }
}

/** The decision in an answer to PreToolUse. */
export function decisionIn({ body }: HookAnswer): Record<string, unknown> {
  const { hookEventName, ...decision } = body['hookSpecificOutput'] as Record<string, unknown>
  if (hookEventName !== 'PreToolUse') throw new Error('not an answer to PreToolUse')
  return decision
}
