import { type Done, type Result, succeed } from '../../../shared/result'
import type { KeptAddress } from '../../protocols/kit/connection'
import type { CheckedServer, DialectFacts, DialectWindow, WindowAgentServer } from './dialect'

/** What the page says about a window's server that is off. */
export const windowServerOff = 'Off for this folder. Its port is closed and its files are removed.'

/** What every dialect's running server has. */
interface RunningServer {
  readonly port: number
  readonly token: string
  rewriteFiles(): Promise<Result<unknown>>
}

/** What differs from dialect to dialect. */
interface WindowServerWays<S> {
  start(kept: KeptAddress | null): Promise<Result<S>>
  /** Ends a server; resolves when its agents have been told. */
  end(server: S): void | Promise<void>
  /** The files by which agents find it. */
  filesOf(server: S): readonly string[]
  tokensOf(server: S): readonly string[]
}

/** A dialect's server of one window: its switch, what is remembered for the folders, and what is shown of it. */
export class WindowServer<S extends RunningServer> implements WindowAgentServer {
  readonly #window: DialectWindow
  readonly #dialect: DialectFacts
  readonly #ways: WindowServerWays<S>
  #server: S | null = null
  /** What the person wanted last. If it changes while the server starts, the start ends what it has started. */
  #wanted = false
  #opening: Promise<Done> | null = null
  #startedAt: number | null = null
  #problem: string | null = null
  #stopping: Promise<void> = Promise.resolve()

  constructor(window: DialectWindow, dialect: DialectFacts, ways: WindowServerWays<S>) {
    this.#window = window
    this.#dialect = dialect
    this.#ways = ways
  }

  /** Null while the server is off. */
  get running(): S | null {
    return this.#server
  }

  async start(): Promise<void> {
    if (this.#memory()?.on === false) return this.#tell(null)
    this.#wanted = true
    await this.#open()
  }

  /** The switch: stopping ends the connections and removes the files. */
  async switch(on: boolean): Promise<Done> {
    if (!on) {
      // Off first, then remembered: a disk that refuses doesn’t keep it on.
      const stopped = this.stop()
      this.#keep({ on })
      await stopped
      return succeed({})
    }
    this.#wanted = true
    this.#keep({ on })
    await this.#stopping
    return this.#wanted && !this.#server ? this.#open() : succeed({})
  }

  /**
   * The window has other folders: its switch stays as it is and is remembered for them, with port and token. Only a
   * window that had none of the person's (`begins`) takes over that it was switched off for its first.
   */
  follow(begins: boolean): void {
    if (begins && this.#memory()?.on === false) return void this.stop()
    this.#keep({ on: this.#wanted })
    this.#tell(null)
  }

  #keep(more: { on?: boolean }): void {
    const address = this.#server ? { port: this.#server.port, token: this.#server.token } : {}
    this.#window.machine.folderStates.updateServer(this.#window.folders.paths, this.#dialect.id, {
      ...address,
      ...more,
    })
  }

  /** The tokens that agents show, and what they are made from: no log may contain them. */
  get secrets(): string[] {
    return [this.#memory()?.token ?? [], this.#server ? this.#ways.tokensOf(this.#server) : []].flat()
  }

  /** What the checks look at. */
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

  /** Writes the files again. */
  async rewriteFiles(): Promise<Done> {
    const written = await this.#server?.rewriteFiles()
    if (written && !written.ok) return written
    this.#tell(null)
    return succeed({})
  }

  /** Turns the server off at once; resolves when it has ended. */
  async stop(): Promise<void> {
    const server = this.#server
    this.#wanted = false
    this.#server = null
    this.#startedAt = null
    if (server) this.#stopping = Promise.resolve(this.#ways.end(server))
    this.#tell(null)
    await this.#stopping
    // A server that is starting ends itself, or stays if it is wanted again.
    await this.#opening?.catch(() => undefined)
  }

  #memory() {
    return this.#window.machine.folderStates.read(this.#window.folders.paths).servers[this.#dialect.id]
  }

  #open(): Promise<Done> {
    return (this.#opening ??= this.#begin())
  }

  async #begin(): Promise<Done> {
    try {
      for (;;) {
        const memory = this.#memory()
        const started = await this.#ways.start(
          memory?.port && memory.token ? { port: memory.port, token: memory.token } : null,
        )
        if (!started.ok) {
          this.#tell(started.failure.message)
          const { code } = started.failure
          this.#window.machine.log.warn('server not started', { dialect: this.#dialect.id, failure: code })
          this.#window.agents.notices.add({ kind: 'error', text: started.failure.message })
          return started
        }
        if (this.#wanted) {
          this.#server = started.value
          this.#startedAt = Date.now()
          this.#tell(null)
          this.#keep({})
          return succeed({})
        }
        // Switched off meanwhile; it may be on again once this one has ended.
        this.#stopping = Promise.resolve(this.#ways.end(started.value))
        await this.#stopping
        if (!this.#wanted) return succeed({})
      }
    } finally {
      this.#opening = null
    }
  }

  #tell(problem: string | null): void {
    this.#problem = problem
    const server = this.#server
    this.#window.agents.connections.setServer({
      dialect: this.#dialect.id,
      about: this.#dialect.about,
      on: server !== null,
      port: server?.port ?? null,
      files: server ? [...this.#ways.filesOf(server)] : [],
      problem,
    })
  }
}
