import type { Connection, ServerState } from '../../../shared/contract/connections'
import { type Disposable, Emitter } from '../../../shared/lifetime'
import type { Refusal } from './server-checks'

const mostRefusals = 50

/** A write that an agent asked nobody about, as its session's own file says, or as found during its turn. */
export interface UnaskedWrite {
  /** Its terminal, if it has no connection. */
  connection: string
  path: string
  /** The id of the tool's call; null if it isn't known. */
  call: string | null
}

/** What an agent says it is doing. */
export interface ToldWork {
  /** When it last worked, in milliseconds since the epoch; while it works, now. */
  at: number
  /** The first line of the command that it runs, if it says one and does nothing else; otherwise null. */
  command: string | null
}

/** The turn that an agent is in, by its own ids. */
export interface ToldTurn {
  session: string
  /** The prompt that it began with. */
  turn?: string
}

/** Who is connected to one window, and the servers that agents can connect to. */
export class Connections implements Disposable {
  readonly #connections = new Map<string, Connection>()
  readonly #servers = new Map<string, ServerState>()
  readonly #work = new Map<string, () => ToldWork | null>()
  readonly #proposing = new Set<string>()
  readonly #inTurn = new Map<string, ToldTurn>()
  #order: readonly string[] = []
  readonly #refusals = new Map<string, readonly Refusal[]>()
  readonly #changed = new Emitter<void>()
  readonly #gone = new Emitter<string>()
  readonly #turns = new Emitter<string>()
  readonly #writes = new Emitter<UnaskedWrite>()
  readonly onChange = this.#changed.on
  /** A connection has ended; tells its id. */
  readonly onGone = this.#gone.on
  /** A connection's agent begins a turn, as its protocol shows; tells the connection's id. */
  readonly onTurn = this.#turns.on
  readonly onWrote = this.#writes.on

  /** Oldest first. */
  list(): Connection[] {
    return [...this.#connections.values()]
  }

  /** In the order of their dialects, not of their start. */
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

  /** For a connection whose agent says what it does; `work` gives null while it doesn't. */
  tellWork(id: string, work: () => ToldWork | null): void {
    this.#work.set(id, work)
  }

  /** What the agent of some connections does; null if one of them doesn't say. */
  workOf(ids: readonly string[]): ToldWork | null {
    const told = ids.map((id) => this.#work.get(id)?.() ?? null)
    if (told.some((one) => one === null)) return null
    return told.reduce((one, other) => (one && other && one.at > other.at ? one : other), null)
  }

  /** For a connection over which its agent proposes each change that it asks about. */
  tellProposing(id: string): void {
    this.#proposing.add(id)
  }

  /** The processes that propose their changes over some connection. */
  proposing(): Set<number> {
    return new Set(
      this.list().flatMap(({ id, pid }) => (pid !== null && this.#proposing.has(id) ? [pid] : [])),
    )
  }

  /** For a connection whose agent says in which turn it is. */
  tellInTurn(id: string, turn: ToldTurn): void {
    this.#inTurn.set(id, turn)
  }

  /** The turn that a connection's agent is in, or was last; nothing of one that doesn't say. */
  inTurn(id: string): Partial<ToldTurn> {
    return this.#inTurn.get(id) ?? {}
  }

  tellTurn(id: string): void {
    this.#turns.emit(id)
  }

  tellWrote(write: UnaskedWrite): void {
    this.#writes.emit(write)
  }

  remove(id: string): void {
    if (!this.#connections.delete(id)) return
    this.#work.delete(id)
    this.#proposing.delete(id)
    this.#inTurn.delete(id)
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
    this.#turns.dispose()
    this.#writes.dispose()
  }
}
