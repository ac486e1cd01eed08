import { spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import type { ClaudeHome } from './claude-home'

/** A line of the control protocol, as far as tests look at it. */
export interface WireLine {
  type: string
  subtype?: string
  request_id?: string
  request?: ControlRequest
  response?: { subtype: string; request_id: string; response?: Record<string, unknown>; error?: string }
  [more: string]: unknown
}

export interface ControlRequest {
  subtype: string
  tool_name?: string
  input?: Record<string, unknown>
  [more: string]: unknown
}

/** The command line over its standard input and output, driven by a script: for measuring, and for tests without an app. */
export interface StdioClaude {
  /** Every line so far. */
  lines: readonly WireLine[]
  /** Sends a prompt and waits for the turn's result. */
  prompt(text: string, more?: Record<string, unknown>): Promise<WireLine>
  /** Sends a control request and waits for what is answered. */
  control(request: ControlRequest): Promise<NonNullable<WireLine['response']>>
  /** Closes its input and waits for its end. */
  end(): Promise<void>
}

/** Answers one control request of the command line: a response, or null for none. */
export type Answer = (request: ControlRequest) => unknown

/** Starts the program at `path` in the home's project. */
export function startStdioClaude(options: {
  path: string
  home: ClaudeHome
  answer: Answer
  args?: readonly string[]
  env?: Record<string, string>
  limit?: number
}): StdioClaude {
  const { path, home, answer, limit = 60_000 } = options
  const usual = ['-p', '--verbose', '--input-format', 'stream-json', '--output-format', 'stream-json']
  const args = [
    ...usual,
    '--permission-prompt-tool',
    'stdio',
    ...(options.args ?? ['--permission-mode', 'default']),
  ]
  const child = spawn(path, args, {
    cwd: home.project,
    env: { ...home.env, ...options.env },
    stdio: ['pipe', 'pipe', 'pipe'],
  })
  const lines: WireLine[] = []
  const hearing = new Set<(line: WireLine) => void>()
  let complaints = ''
  let requests = 0
  child.stderr.on('data', (chunk: Buffer) => (complaints = (complaints + chunk.toString()).slice(-4000)))
  const ended = new Promise<void>((resolve) => child.once('close', () => resolve()))

  const send = (line: unknown): void => void child.stdin.write(`${JSON.stringify(line)}\n`)
  createInterface({ input: child.stdout }).on('line', (text) => {
    const line = JSON.parse(text) as WireLine
    lines.push(line)
    if (line.type === 'control_request' && line.request) {
      const { request_id } = line
      void Promise.resolve(answer(line.request)).then((response) => {
        if (response === null) return
        send({ type: 'control_response', response: { subtype: 'success', request_id, response } })
      })
    }
    for (const hear of [...hearing]) hear(line)
  })

  const next = (wanted: (line: WireLine) => boolean): Promise<WireLine> =>
    new Promise((resolve, reject) => {
      const stop = (): void => {
        clearTimeout(timer)
        hearing.delete(hear)
      }
      const hear = (line: WireLine): void => {
        if (!wanted(line)) return
        stop()
        resolve(line)
      }
      const timer = setTimeout(() => {
        stop()
        const last = lines.slice(-5).map((line) => JSON.stringify(line).slice(0, 500))
        reject(new Error(`not within ${limit} ms; the last lines:\n${last.join('\n')}\n${complaints}`))
      }, limit)
      hearing.add(hear)
    })

  return {
    lines,
    prompt(text, more = {}) {
      const result = next((line) => line.type === 'result')
      send({ type: 'user', message: { role: 'user', content: text }, ...more })
      return result
    },
    async control(request) {
      const request_id = `r${++requests}`
      const answered = next((line) => line.response?.request_id === request_id)
      send({ type: 'control_request', request_id, request })
      return (await answered).response ?? { subtype: 'none', request_id }
    },
    async end() {
      child.stdin.end()
      const timer = setTimeout(() => child.kill('SIGKILL'), 10_000)
      await ended
      clearTimeout(timer)
    },
  }
}
