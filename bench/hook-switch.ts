import { Agent, createServer, type IncomingMessage, request, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'

/** Which server a write's calls are passed to. */
export type Kind = 'limit' | 'ours'

/** That of a write, counted from 0: by turns. */
export function kindOf(number: number): Kind {
  return number % 2 === 0 ? 'limit' : 'ours'
}

/** One write: when its first call came, and how long the calls before and after it waited. Milliseconds. */
interface SwitchedWrite {
  kind: Kind
  at: number
  before: number
  after: number
}

/**
 * Stands where Claude Code's hooks are called, and passes the calls of each write to one of two servers by turns, the
 * others to ours: so both are measured in one run, from the head of a call to the last byte of its answer.
 */
export class HookSwitch {
  readonly writes: SwitchedWrite[] = []
  readonly #ports: Record<Kind, number>
  readonly #byCall = new Map<string, SwitchedWrite>()
  readonly #agent = new Agent({ keepAlive: true })
  readonly #server: Server

  private constructor(ports: Record<Kind, number>) {
    this.#ports = ports
    this.#server = createServer((asked, answer) => {
      const begun = performance.now()
      const parts: Buffer[] = []
      asked.on('data', (part: Buffer) => parts.push(part))
      asked.on('end', () => {
        const body = Buffer.concat(parts)
        const { hook_event_name: event, tool_use_id: id = '' } = JSON.parse(body.toString()) as {
          hook_event_name: string
          tool_use_id?: string
        }
        const write = event === 'PreToolUse' ? this.#begin(id, begun) : this.#byCall.get(id)
        this.#pass(asked, body, write?.kind ?? 'ours', (answered, text) => {
          const took = performance.now() - begun
          if (write && event === 'PreToolUse') write.before = took
          else if (write) write.after = took
          const { connection = 'keep-alive' } = answered.headers
          answer.writeHead(answered.statusCode ?? 500, { 'content-type': 'application/json', connection })
          answer.end(text)
        })
      })
    })
  }

  static async open(ports: Record<Kind, number>): Promise<HookSwitch> {
    const opened = new HookSwitch(ports)
    await new Promise<void>((resolve) => opened.#server.listen(0, '127.0.0.1', resolve))
    return opened
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}/hook`
  }

  close(): void {
    this.#agent.destroy()
    this.#server.close()
    this.#server.closeAllConnections()
  }

  #begin(id: string, at: number): SwitchedWrite {
    const kind = kindOf(this.writes.length)
    const write: SwitchedWrite = { kind, at, before: Number.NaN, after: Number.NaN }
    this.writes.push(write)
    this.#byCall.set(id, write)
    return write
  }

  #pass(
    { headers }: IncomingMessage,
    body: Buffer,
    kind: Kind,
    hear: (answered: IncomingMessage, text: Buffer) => void,
  ): void {
    const port = this.#ports[kind]
    const { authorization = '' } = headers
    const out = request(
      {
        ...{ host: '127.0.0.1', port, path: '/hook', method: 'POST', agent: this.#agent },
        headers: {
          'content-type': 'application/json',
          'content-length': body.length,
          authorization,
          'x-greenlight-terminal': headers['x-greenlight-terminal'] ?? '',
          'x-greenlight-parent': headers['x-greenlight-parent'] ?? '',
        },
      },
      (answered) => {
        const parts: Buffer[] = []
        answered.on('data', (part: Buffer) => parts.push(part))
        answered.on('end', () => hear(answered, Buffer.concat(parts)))
      },
    )
    out.end(body)
  }
}
