import { readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import WebSocket from 'ws'

/** What a tool answers, as the protocol has it. */
export interface ToolAnswer {
  content: { type: string; text: string }[]
  isError?: boolean
}

interface Message {
  id?: number
  method?: string
  result?: ToolAnswer
  params?: Record<string, unknown>
  error?: { code: number; message: string }
}

/** The server that a home's lock file names: what a command line finds at its start. */
export function findServer(home: string): { port: number; token: string } {
  const folder = join(home, '.claude', 'ide')
  const [name] = readdirSync(folder).filter((file) => file.endsWith('.lock'))
  if (name === undefined) throw new Error('there is no lock file')
  const { authToken } = JSON.parse(readFileSync(join(folder, name), 'utf8')) as { authToken: string }
  return { port: Number.parseInt(name, 10), token: authToken }
}

/** An agent's command line as far as the IDE's protocol knows it: it asks, hears, and writes what was accepted. */
export class FakeAgent {
  readonly #socket: WebSocket
  readonly #answers = new Map<number, (message: Message) => void>()
  readonly #heard: Message[] = []
  readonly #listeners = new Set<() => void>()
  #next = 0
  /** Resolves when the connection is gone, and all that came before has been heard. */
  readonly closed: Promise<void>

  private constructor(socket: WebSocket) {
    this.#socket = socket
    this.closed = new Promise((resolve) => socket.once('close', () => resolve()))
    socket.on('message', (data) => {
      const message = JSON.parse(String(data)) as Message
      if (message.method !== undefined) {
        this.#heard.push(message)
        for (const listener of this.#listeners) listener()
      } else if (message.id !== undefined) this.#answers.get(message.id)?.(message)
    })
  }

  /** Connects to the server of a home, as a process of this number. */
  static async connect(home: string, pid: number = process.pid): Promise<FakeAgent> {
    const { port, token } = findServer(home)
    const socket = new WebSocket(`ws://127.0.0.1:${port}/`, ['mcp'], {
      headers: { 'x-claude-code-ide-authorization': token },
    })
    const agent = new FakeAgent(socket)
    await new Promise<void>((resolve, reject) => {
      socket.once('open', resolve)
      socket.once('error', reject)
    })
    await agent.#request('initialize', {
      protocolVersion: '2025-11-25',
      capabilities: {},
      clientInfo: { name: 'claude-code', version: '2.1.330' },
    })
    agent.#notify('notifications/initialized', {})
    agent.#notify('ide_connected', { pid })
    await agent.#request('tools/list', {})
    return agent
  }

  async call(name: string, args: object): Promise<ToolAnswer> {
    const { result, error } = await this.#request('tools/call', { name, arguments: args })
    if (!result) throw new Error(error?.message ?? 'no result')
    return result
  }

  /** Asks for a change; resolves with the texts of the answer when it has come. */
  async openDiff(
    path: string,
    contents: string,
    tab = `✻ [Claude Code] ${path} (a1b2c3) ⧉`,
  ): Promise<string[]> {
    const { content } = await this.call('openDiff', {
      old_file_path: path,
      new_file_path: path,
      new_file_contents: contents,
      tab_name: tab,
    })
    return content.map(({ text }) => text)
  }

  /** The first notification of this name, past or future, whose parameters satisfy. */
  heard<T extends object>(method: string, satisfies: (params: T) => boolean = () => true): Promise<T> {
    return new Promise((resolve) => {
      const look = () => {
        const found = this.#heard.find(
          (message) => message.method === method && satisfies(message.params as T),
        )
        if (!found) return
        this.#listeners.delete(look)
        resolve(found.params as T)
      }
      this.#listeners.add(look)
      look()
    })
  }

  /** All that was told so far, as it came. */
  get told(): readonly { method?: string; params?: Record<string, unknown> }[] {
    return this.#heard
  }

  /** Ends without a word, as a killed process does. */
  kill(): void {
    this.#socket.terminate()
  }

  #request(method: string, params: object): Promise<Message> {
    return new Promise((resolve) => {
      const id = this.#next++
      this.#answers.set(id, resolve)
      this.#socket.send(JSON.stringify({ jsonrpc: '2.0', id, method, params }))
    })
  }

  #notify(method: string, params: object): void {
    this.#socket.send(JSON.stringify({ jsonrpc: '2.0', method, params }))
  }
}
