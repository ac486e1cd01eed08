import type { SessionProcesses } from '../../core/history/session-processes'
import { processExists } from '../../core/platform/process-tree'
import { dialectId } from '../../protocols/claude-hooks/dialect-id'
import { linkOf } from '../../protocols/claude-hooks/link'
import type { HookSession, HookSource } from '../../protocols/claude-hooks/ports'
import type { ConnectionEntry } from '../../protocols/kit/connection'
import type { AgentConnections } from '../dialect-kit/agent-connections'
import type { AgentRooms } from '../dialect-kit/dialect'

/** A session that is shown as a connection of its own. */
interface Shown {
  connection: string
  pid: number | null
  entry: ConnectionEntry
  /** When it last called, in milliseconds since the epoch. */
  calledAt: number
}

/** As its other connections name it. */
const agentName = 'Claude'

/** How often it is seen whether sessions are gone, and how long a silent one is shown. In milliseconds. */
const sweep = 30_000
const longestSilence = 600_000

/**
 * The sessions that call, each shown as the connection over which it also speaks; one that has none, such as a command's
 * own `claude -p`, as a connection of its own until it ends.
 */
export class HookSessions {
  readonly #rooms: Pick<AgentRooms, 'connections' | 'protocolLog' | 'terminals'>
  readonly #connections: AgentConnections
  readonly #processes: Pick<SessionProcesses, 'in'>
  readonly #isAsking: () => boolean
  readonly #shown = new Map<string, Shown>()
  #timer: NodeJS.Timeout | undefined

  /** `isAsking`: whether anybody waits for an answer. */
  constructor(
    rooms: Pick<AgentRooms, 'connections' | 'protocolLog' | 'terminals'>,
    connections: AgentConnections,
    processes: Pick<SessionProcesses, 'in'>,
    isAsking: () => boolean,
  ) {
    this.#rooms = rooms
    this.#connections = connections
    this.#processes = processes
    this.#isAsking = isAsking
  }

  /** The session that calls, as it stands now. */
  async of(id: string, from: HookSource): Promise<HookSession> {
    const { connections, protocolLog } = this.#rooms
    const processes = await this.#processes.in(id)
    const link = linkOf(processes, connections.proposing())
    const linked = connections
      .list()
      .find(({ dialect, pid }) => link === 'linked' && dialect !== dialectId && pid === processes[0])
    if (linked) this.#end(id)
    const { connection, pid } = linked
      ? { connection: linked.id, pid: linked.pid }
      : this.#show(id, from, processes[0] ?? from.parent)
    return {
      origin: {
        ...{ dialect: dialectId, connection, agent: agentName, session: id },
        ...(pid === null ? {} : { pid }),
      },
      link,
      hear: (direction, text, bytes) => protocolLog.add(connection, direction, text, bytes),
      ended: () => this.#end(id),
    }
  }

  dispose(): void {
    for (const id of this.#shown.keys()) this.#end(id)
  }

  #show(id: string, { terminal }: HookSource, pid: number | null): Shown {
    const known = this.#shown.get(id)
    if (known) {
      known.calledAt = Date.now()
      return known
    }
    const { connections, terminals } = this.#rooms
    const facts = { id: `hooks ${id}`, agent: agentName, since: Date.now() }
    const entry = this.#connections.opened(pid === null ? facts : { ...facts, pid })
    if (terminals.get(terminal)) connections.update(facts.id, { terminal })
    const shown: Shown = { connection: facts.id, pid, entry, calledAt: Date.now() }
    this.#shown.set(id, shown)
    this.#timer ??= setInterval(() => this.#sweep(), sweep).unref()
    return shown
  }

  #end(id: string): void {
    this.#shown.get(id)?.entry.closed()
    this.#shown.delete(id)
    if (this.#shown.size > 0) return
    clearInterval(this.#timer)
    this.#timer = undefined
  }

  #sweep(): void {
    if (this.#isAsking()) return
    const now = Date.now()
    for (const [id, { pid, calledAt }] of this.#shown)
      if ((pid !== null && !processExists(pid)) || now - calledAt > longestSilence) this.#end(id)
  }
}
