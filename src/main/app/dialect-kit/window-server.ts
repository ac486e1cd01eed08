import { type Done, type Result, succeed } from '../../../shared/result'
import { defaultSettings } from '../../../shared/settings/all-settings'
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
  /** Each of its files holds one of these; its tokens, unless said otherwise. */
  marksOf?(server: S): readonly string[]
  /**
   * In place of ending it when it is switched off: it rests, and keeps its port until the window closes, for agents that
   * run would be refused there, or answered by whoever takes the port.
   */
  rest?(server: S, rests: boolean): void
  /** The setting that its switch is. Else the switch is remembered for the folders. */
  setting?: 'claudeHooks'
}

/** A dialect's server of one window: its switch, what is remembered for the folders, and what is shown of it. */
export class WindowServer<S extends RunningServer> implements WindowAgentServer {
  readonly #window: DialectWindow
  readonly #dialect: DialectFacts
  readonly #ways: WindowServerWays<S>
  #server: S | null = null
  #resting: S | null = null
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
    this.#followSetting()
    if (!this.#isSwitchedOn) return this.#tell(null)
    this.#wanted = true
    await this.#open()
  }

  /** The switch: stopping ends the connections and removes the files. */
  async switch(on: boolean): Promise<Done> {
    // Off first, then remembered: a disk that refuses doesn’t keep it on.
    const turned = this.#turn(on)
    const kept = this.#remember(on)
    const done = await turned
    return kept.ok ? done : kept
  }

  /**
   * The window has other folders: its switch stays as it is and is remembered for them, with port and token. Only a
   * window that had none of the person's (`begins`) takes over that it was switched off for its first.
   */
  follow(begins: boolean): void {
    if (begins && !this.#isSwitchedOn) return void this.#turnOff()
    this.#keep({ on: this.#wanted })
    this.#tell(null)
  }

  get #isSwitchedOn(): boolean {
    const { setting } = this.#ways
    return setting === undefined ? this.#memory()?.on !== false : this.#window.settings.get()[setting]
  }

  #followSetting(): void {
    const { setting } = this.#ways
    if (setting === undefined) return
    this.#window.settings.onChange(({ [setting]: on }) => {
      if (on !== undefined && on !== this.#wanted) void this.#turn(on)
    })
  }

  async #turn(on: boolean): Promise<Done> {
    if (!on) {
      await this.#turnOff()
      return succeed({})
    }
    this.#wanted = true
    await this.#stopping
    return this.#wanted && !this.#server ? this.#open() : succeed({})
  }

  #remember(on: boolean): Done {
    const { settings, folders } = this.#window
    const { setting } = this.#ways
    if (setting === undefined) {
      this.#keep({ on })
      return succeed({})
    }
    if (folders.paths.length === 0) return settings.change('person', { [setting]: on }, [])
    const usual = settings.stored().person[setting] ?? defaultSettings[setting]
    // What is so everywhere needs no value of the folder's own.
    return usual === on
      ? settings.change('folder', {}, [setting])
      : settings.change('folder', { [setting]: on }, [])
  }

  #keep(more: { on?: boolean }): void {
    const server = this.#server ?? this.#resting
    const address = server ? { port: server.port, token: server.token } : {}
    this.#window.machine.folderStates.updateServer(this.#window.folders.paths, this.#dialect.id, {
      ...address,
      ...more,
    })
  }

  /** The tokens that agents show, and what they are made from: no log may contain them. */
  get secrets(): string[] {
    const server = this.#server ?? this.#resting
    return [this.#memory()?.token ?? [], server ? this.#ways.tokensOf(server) : []].flat()
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
      tokens: server ? (this.#ways.marksOf ?? this.#ways.tokensOf)(server) : [],
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
    const server = this.#server ?? this.#resting
    this.#wanted = false
    this.#server = null
    this.#resting = null
    this.#startedAt = null
    if (server) this.#stopping = Promise.resolve(this.#ways.end(server))
    this.#tell(null)
    await this.#stopping
    // A server that is starting ends itself, or stays if it is wanted again.
    await this.#opening?.catch(() => undefined)
  }

  #turnOff(): Promise<void> {
    const { rest } = this.#ways
    if (!rest || (!this.#server && !this.#resting)) return this.stop()
    this.#wanted = false
    if (!this.#server) return Promise.resolve()
    this.#resting = this.#server
    this.#server = null
    this.#startedAt = null
    rest(this.#resting, true)
    this.#tell(null)
    return Promise.resolve()
  }

  #memory() {
    return this.#window.machine.folderStates.read(this.#window.folders.paths).servers[this.#dialect.id]
  }

  #open(): Promise<Done> {
    return (this.#opening ??= this.#begin())
  }

  async #begin(): Promise<Done> {
    try {
      if (this.#resting) {
        this.#ways.rest?.(this.#resting, false)
        this.#use(this.#resting)
        this.#resting = null
        return succeed({})
      }
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
          this.#use(started.value)
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

  #use(server: S): void {
    this.#server = server
    this.#startedAt = Date.now()
    this.#tell(null)
    this.#keep({})
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
