import type { ServerState } from '../../../shared/contract/connections'
import { type Done, type Result, succeed } from '../../../shared/result'
import type { WindowHost } from '../window-host'
import type { CheckedServer } from './connection-checks'

/** What every dialect's running server has. */
interface RunningServer {
  readonly port: number
  readonly token: string
  rewriteFiles(): Promise<Result<unknown>>
}

/** The address that agents knew before, to be taken again where that is possible. */
export interface KeptAddress {
  port: number
  token: string
}

/** What differs from dialect to dialect. */
export interface WindowServerWays<S> {
  start(kept: KeptAddress | null): Promise<Result<S>>
  /** Ends a server; resolves when its agents have been told what they are to be told. */
  end(server: S): void | Promise<void>
  /** The files by which agents find it. */
  filesOf(server: S): readonly string[]
  tokensOf(server: S): readonly string[]
}

/** A dialect's server of one window: its switch, what is kept of it for the folders, and what is shown of it. */
export class WindowServer<S extends RunningServer> {
  readonly #window: WindowHost
  readonly #dialect: ServerState['dialect']
  readonly #ways: WindowServerWays<S>
  #server: S | null = null
  #starting = false
  #startedAt: number | null = null
  #problem: string | null = null
  #stopping: Promise<void> = Promise.resolve()

  constructor(window: WindowHost, dialect: ServerState['dialect'], ways: WindowServerWays<S>) {
    this.#window = window
    this.#dialect = dialect
    this.#ways = ways
  }

  /** Null while it is off. */
  get running(): S | null {
    return this.#server
  }

  /** Starts the server unless the person has switched it off for these folders. */
  async start(): Promise<void> {
    if (this.#memory()?.on === false) this.#tell(null)
    else await this.#open()
  }

  /** The switch: stopping ends the connections and removes the files. */
  async switch(on: boolean): Promise<Done> {
    this.#window.parts.folderStates.updateServer(this.#window.folders, this.#dialect, { on })
    if (!on) {
      await this.stop()
      return succeed({})
    }
    await this.#stopping
    return this.#server || this.#starting ? succeed({}) : this.#open()
  }

  /** Keeps port and token for the folders of the window as they are now. */
  remember(): void {
    if (!this.#server) return
    const { port, token } = this.#server
    this.#window.parts.folderStates.updateServer(this.#window.folders, this.#dialect, { port, token })
    this.#tell(null)
  }

  /** The tokens that agents show it, and what they are made from: no log may show them. */
  get secrets(): string[] {
    return [this.#memory()?.token ?? [], this.#server ? this.#ways.tokensOf(this.#server) : []].flat()
  }

  /** What the check list looks at. */
  checked(): CheckedServer {
    const server = this.#server
    return {
      on: server !== null,
      problem: this.#problem,
      port: server?.port ?? null,
      started: this.#startedAt,
      files: server ? this.#ways.filesOf(server) : [],
      tokens: server ? this.#ways.tokensOf(server) : [],
    }
  }

  /** Writes the files anew. */
  async rewriteFiles(): Promise<Done> {
    const written = await this.#server?.rewriteFiles()
    if (written && !written.ok) return written
    this.#tell(null)
    return succeed({})
  }

  /** The server is off at once; resolves when it has ended. */
  async stop(): Promise<void> {
    const server = this.#server
    this.#server = null
    this.#startedAt = null
    if (server) this.#stopping = Promise.resolve(this.#ways.end(server))
    this.#tell(null)
    await this.#stopping
  }

  #memory() {
    return this.#window.parts.folderStates.read(this.#window.folders).servers[this.#dialect]
  }

  async #open(): Promise<Done> {
    const memory = this.#memory()
    this.#starting = true
    const started = await this.#ways.start(
      memory?.port && memory.token ? { port: memory.port, token: memory.token } : null,
    )
    this.#starting = false
    if (!started.ok) {
      this.#tell(started.failure.message)
      this.#window.notices.add({ kind: 'error', text: started.failure.message })
      return started
    }
    this.#server = started.value
    this.#startedAt = Date.now()
    this.remember()
    return succeed({})
  }

  #tell(problem: string | null): void {
    this.#problem = problem
    const server = this.#server
    this.#window.connections.setServer({
      dialect: this.#dialect,
      on: server !== null,
      port: server?.port ?? null,
      files: server ? [...this.#ways.filesOf(server)] : [],
      problem,
    })
  }
}
