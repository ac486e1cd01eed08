import type { Connection, ServerAbout } from '../../../shared/contract/connections'
import type { Log } from '../../core/platform/log'
import type { ConnectionEntry, ConnectionFacts } from '../../protocols/kit/connection'
import type { AgentRooms } from './dialect'

/** What a dialect adds to what every connection has. */
interface Additions {
  /** What to say about how it writes, once its terminal is known; null for nothing. */
  unasked?(connection: string, profile: string | undefined): Connection['unasked']
  /** What to say if there is nothing to warn about; null for what is said of every connection. */
  note?(connection: string): string | null
  closed?(connection: string): void
}

/** The connections of one dialect in one window: shown, logged, and matched with the terminals that they run in. */
export class AgentConnections {
  readonly #dialect: { id: string; about: ServerAbout }
  readonly #rooms: AgentRooms
  readonly #log: Log
  readonly #additions: Additions

  constructor(
    dialect: { id: string; about: ServerAbout },
    rooms: AgentRooms,
    log: Log,
    additions: Additions = {},
  ) {
    this.#dialect = dialect
    this.#rooms = rooms
    this.#log = log
    this.#additions = additions
  }

  /** A client has connected; what it does is told to the entry that this gives. */
  opened(facts: ConnectionFacts): ConnectionEntry {
    const { connections, protocolLog, notices } = this.#rooms
    connections.put({
      id: facts.id,
      dialect: this.#dialect.id,
      protocol: this.#dialect.about.protocol,
      agent: facts.agent,
      version: facts.version ?? null,
      pid: facts.pid ?? null,
      since: facts.since,
      terminal: null,
      unasked: null,
      note: null,
    })
    this.#name(facts)
    return {
      update: (more) => {
        const { agent, version, pid } = more
        connections.update(facts.id, {
          agent,
          version: version ?? null,
          pid: pid ?? null,
          note: this.#note(facts.id, pid),
        })
        this.#name(more)
        const known = connections.find(facts.id)
        if (known) void this.#match(known)
      },
      frame: (direction, text, bytes) => protocolLog.add(facts.id, direction, text, bytes),
      say: (text) => notices.warn(text),
      closed: () => {
        connections.remove(facts.id)
        protocolLog.end(facts.id)
        this.#additions.closed?.(facts.id)
      },
    }
  }

  /** A client was refused. */
  refused(status: number, message: string): void {
    this.#rooms.connections.refuse(this.#dialect.id, { at: Date.now(), status, message })
    this.#log.warn('agent refused', { dialect: this.#dialect.id, status, message })
  }

  /** What is said of how a connection writes, or without an id of how each does, may be different now. */
  describeAgain(id?: string): void {
    for (const connection of this.#mine())
      if (id === undefined || connection.id === id) void this.#match(connection)
  }

  /** The connections that run in a terminal. */
  inTerminal(terminal: string): Connection[] {
    return this.#mine().filter((connection) => connection.terminal === terminal)
  }

  /** Terminals have come or gone. */
  matchTerminals(): void {
    for (const connection of this.#mine()) if (connection.terminal === null) void this.#match(connection)
  }

  #mine(): Connection[] {
    return this.#rooms.connections.list().filter(({ dialect }) => dialect === this.#dialect.id)
  }

  #name({ id, agent, version, since }: ConnectionFacts): void {
    this.#rooms.protocolLog.name({ id, agent, version: version ?? null, dialect: this.#dialect.id, since })
  }

  async #match({ id, pid }: Connection): Promise<void> {
    if (pid === null) return
    const { terminals, connections } = this.#rooms
    const terminal = await terminals.terminalOfPid(pid)
    const profile = terminals.snapshot().find((one) => one.id === terminal)?.profile
    const unasked = this.#additions.unasked?.(id, profile) ?? null
    connections.update(id, { terminal, unasked, note: this.#note(id, pid) })
  }

  #note(id: string, pid: number | undefined): string | null {
    if (pid === undefined) return null
    return this.#additions.note?.(id) ?? this.#dialect.about.noteWhenKnown
  }
}
