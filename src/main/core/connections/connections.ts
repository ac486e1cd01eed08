import type { Connection, ServerState } from '../../../shared/contract/connections'
import { type Disposable, Emitter } from '../../../shared/lifetime'
import type { Refusal } from './server-checks'

const mostRefusals = 50

/** Who is connected to one window, and the servers that agents can connect to. */
export class Connections implements Disposable {
  readonly #connections = new Map<string, Connection>()
  readonly #servers = new Map<string, ServerState>()
  readonly #work = new Map<string, () => number>()
  #order: readonly string[] = []
  readonly #refusals = new Map<string, readonly Refusal[]>()
  readonly #changed = new Emitter<void>()
  readonly #gone = new Emitter<string>()
  readonly onChange = this.#changed.on
  /** A connection has ended; tells its id. */
  readonly onGone = this.#gone.on

  /** Oldest first. */
  list(): Connection[] {
    return [...this.#connections.values()]
  }

  /** In the order of their dialects, whichever began first. */
  servers(): ServerState[] {
    const place = ({ dialect }: ServerState) => this.#order.indexOf(dialect)
    return [...this.#servers.values()].sort((a, b) => place(a) - place(b))
  }

  /** The ids of the dialects, in order. */
  setOrder(dialects: readonly string[]): void {
    this.#order = dialects
  }

  find(id: string): Connection | undefined {
    return this.#connections.get(id)
  }

  /** Adds a connection, or updates the one with its id. */
  put(connection: Connection): void {
    this.#connections.set(connection.id, connection)
    this.#changed.emit()
  }

  /** Updates a connection; does nothing if it has ended. */
  update(id: string, more: Partial<Connection>): void {
    const known = this.#connections.get(id)
    if (known) this.put({ ...known, ...more })
  }

  /** For a connection whose agent says what it does: `workedAt` gives when it last worked, which is now while it does. */
  tellWork(id: string, workedAt: () => number): void {
    this.#work.set(id, workedAt)
  }

  /** When a connection's agent last worked, in milliseconds since the epoch; null if it doesn't say. */
  workedAt(id: string): number | null {
    return this.#work.get(id)?.() ?? null
  }

  remove(id: string): void {
    if (!this.#connections.delete(id)) return
    this.#work.delete(id)
    this.#changed.emit()
    this.#gone.emit(id)
  }

  setServer(server: ServerState): void {
    this.#servers.set(server.dialect, server)
    this.#changed.emit()
  }

  /** Notes that a client was turned away. */
  refuse(dialect: string, refusal: Refusal): void {
    this.#refusals.set(dialect, [...this.refusals(dialect), refusal].slice(-mostRefusals))
  }

  /** The latest refusals of a server, oldest first. */
  refusals(dialect: string): readonly Refusal[] {
    return this.#refusals.get(dialect) ?? []
  }

  dispose(): void {
    for (const id of this.#connections.keys()) this.#gone.emit(id)
    this.#changed.dispose()
    this.#gone.dispose()
  }
}
