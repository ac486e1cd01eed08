import { readFileSync, readdirSync } from 'node:fs'
import { type Socket, connect } from 'node:net'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { scriptedFolder } from './server'

interface Line {
  id?: number
  value?: unknown
  error?: string
  event?: string
}

/** Who a scripted agent says it is. */
export interface Who {
  agent?: string
  pid?: number
  session?: string
}

/** A call that is under way. */
export interface Asked<T> {
  answer: Promise<T>
  cancel(): void
}

/** The agent's side: what a spec has it say and what it hears. */
export class ScriptedAgent {
  readonly #socket: Socket
  readonly #waiting = new Map<number, { resolve(value: unknown): void; reject(error: Error): void }>()
  readonly #events: { event: string; value: unknown }[] = []
  #next = 0
  #heard: () => void = () => undefined

  private constructor(socket: Socket) {
    this.#socket = socket
    createInterface({ input: socket }).on('line', (line) => this.#hear(JSON.parse(line) as Line))
    socket.on('error', () => socket.destroy())
    socket.once('close', () => {
      for (const { reject } of this.#waiting.values()) reject(new Error('the connection is gone'))
      this.#waiting.clear()
    })
  }

  /** Connects to the window with a folder, as the home's files tell. */
  static async connect(home: string, folder: string, who: Who = {}): Promise<ScriptedAgent> {
    const files = readdirSync(scriptedFolder(home)).map(
      (name) =>
        JSON.parse(readFileSync(join(scriptedFolder(home), name), 'utf8')) as {
          port: number
          token: string
          folders: string[]
        },
    )
    // A host that was killed leaves its file behind.
    for (const { port, token } of files.filter(({ folders }) => folders.includes(folder))) {
      const socket = connect(port, '127.0.0.1')
      const isOpen = await new Promise<boolean>((resolve) =>
        socket.once('connect', () => resolve(true)).once('error', () => resolve(false)),
      )
      if (!isOpen) continue
      const agent = new ScriptedAgent(socket)
      agent.#write({ token, agent: 'Robo', pid: process.pid, ...who })
      await agent.event('welcome')
      return agent
    }
    throw new Error(`no window has ${folder}`)
  }

  /** Calls a verb and waits for what it gives. */
  call<T>(verb: string, params: unknown): Promise<T> {
    return this.ask<T>(verb, params).answer
  }

  /** Calls a verb that can be cancelled while it waits. */
  ask<T>(verb: string, params: unknown): Asked<T> {
    const id = this.#next++
    const answer = new Promise<T>((resolve, reject) =>
      this.#waiting.set(id, { resolve: resolve as (value: unknown) => void, reject }),
    )
    // Who kills the host does not wait for the answer.
    answer.catch(() => undefined)
    this.#write({ id, verb, params })
    return { answer, cancel: () => this.#write({ cancel: id }) }
  }

  /** The next event of a name, of those that nobody has taken. */
  async event(name: string): Promise<unknown> {
    for (;;) {
      const at = this.#events.findIndex(({ event }) => event === name)
      const [found] = at < 0 ? [] : this.#events.splice(at, 1)
      if (found) return found.value
      await new Promise<void>((resolve) => {
        this.#heard = resolve
      })
    }
  }

  /** Hangs up, as a process that ends does. */
  close(): void {
    this.#socket.destroy()
  }

  #write(value: object): void {
    this.#socket.write(`${JSON.stringify(value)}\n`)
  }

  #hear({ id, value, error, event }: Line): void {
    if (event !== undefined) {
      this.#events.push({ event, value })
      return this.#heard()
    }
    const waiting = this.#waiting.get(id ?? -1)
    this.#waiting.delete(id ?? -1)
    if (error === undefined) waiting?.resolve(value)
    else waiting?.reject(new Error(error))
  }
}
