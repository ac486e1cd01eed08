import { claude } from '../../core/agents/claude'
import type { NotedStatus, RunningSessions } from '../../core/history/running-sessions'
import type { SessionProcesses } from '../../core/history/session-processes'
import { processExists } from '../../core/platform/process-tree'
import { dialectId } from '../../protocols/claude-hooks/dialect-id'
import { linkOf } from '../../protocols/claude-hooks/ide-link'
import type { HookSession, HookSource } from '../../protocols/claude-hooks/ports'
import type { ConnectionEntry } from '../../protocols/kit/connection'
import { type Disposable, DisposableStack } from '../../../shared/lifetime'
import type { AgentConnections } from '../dialect-kit/agent-connections'
import type { AgentRooms } from '../dialect-kit/dialect'

/** Where sessions are shown, and what tells of them. */
interface SessionRooms extends Pick<AgentRooms, 'connections' | 'protocolLog' | 'terminals'> {
  processes: Pick<SessionProcesses, 'in'>
  /** What command lines note about themselves. */
  noted(): Pick<RunningSessions, 'of' | 'all' | 'onChange'>
  /** Whether anybody waits for an answer. */
  isAsking(): boolean
  /** Whether the agents in a terminal should call. */
  isGiven(terminal: string): boolean
}

/** A session that is shown as a connection of its own. */
interface Shown {
  connection: string
  pid: number | null
  entry: ConnectionEntry
  /** When it last called, in milliseconds since the epoch; null if it never has. */
  calledAt: number | null
}

/** As its other connections name it. */
const agentName = 'Claude'

/** How often it is seen whether sessions are gone, and how long a silent one is shown. In milliseconds. */
const sweep = 30_000
const longestSilence = 600_000

/**
 * The sessions that call, each shown as the connection over which it also speaks; one that has none, such as a command's
 * own `claude -p`, as a connection of its own until it ends. So is one that works in a terminal of the window though it
 * neither calls nor is connected: nobody is asked about what it writes. An old version that notes nothing of itself is
 * shown by its terminal's id, from the first write on that is found.
 */
export class HookSessions {
  readonly #rooms: SessionRooms
  readonly #connections: AgentConnections
  readonly #shown = new Map<string, Shown>()
  readonly #finding = new Map<string, Promise<number[]>>()
  #statuses: ReadonlyMap<string, NotedStatus> = new Map()
  #following: Disposable | null = null
  #timer: NodeJS.Timeout | undefined

  constructor(rooms: SessionRooms, connections: AgentConnections) {
    this.#rooms = rooms
    this.#connections = connections
  }

  /** The session that calls, as it stands now. */
  async of(id: string, from: HookSource): Promise<HookSession> {
    const { connections, protocolLog } = this.#rooms
    const processes = await this.#processesIn(id)
    const link = linkOf(processes, connections.proposing())
    const linked = connections
      .list()
      .find(({ dialect, pid }) => link === 'linked' && dialect !== dialectId && pid === processes[0])
    if (linked) this.#end(id)
    const { connection, pid } = linked
      ? { connection: linked.id, pid: linked.pid }
      : this.#call(id, from, processes)
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

  /** From now on also shows those that work without calling. */
  follow(): void {
    const { connections, noted } = this.#rooms
    this.#following ??= new DisposableStack(
      noted().onChange(() => void this.#look()),
      connections.onChange(() => this.#endConnected()),
      connections.onWrote(({ connection, path }) => this.#wrote(connection, path)),
    )
  }

  dispose(): void {
    this.#following?.dispose()
    this.#following = null
    for (const id of this.#shown.keys()) this.#end(id)
  }

  /** Calls that come at once look once, and so go on in their order: none shows a session again that has ended. */
  #processesIn(id: string): Promise<number[]> {
    const known = this.#finding.get(id)
    if (known) return known
    const finding = this.#rooms.processes.in(id).finally(() => this.#finding.delete(id))
    this.#finding.set(id, finding)
    return finding
  }

  #call(id: string, { terminal, parent }: HookSource, processes: readonly number[]): Shown {
    const shown = this.#show(id, terminal, processes[0] ?? parent)
    shown.calledAt = Date.now()
    return shown
  }

  #show(id: string, terminal: string, pid: number | null): Shown {
    const known = this.#shown.get(id)
    if (known) return known
    const { connections, terminals } = this.#rooms
    const facts = { id: `hooks ${id}`, agent: agentName, since: Date.now() }
    const entry = this.#connections.opened(pid === null ? facts : { ...facts, pid })
    if (terminals.get(terminal)) connections.update(facts.id, { terminal })
    const shown: Shown = { connection: facts.id, pid, entry, calledAt: null }
    this.#shown.set(id, shown)
    this.#timer ??= setInterval(() => this.#sweep(), sweep).unref()
    return shown
  }

  /**
   * A turn begins where a command line notes that it works. It does so for some commands of its own, such as /context, too,
   * so this says nothing of one that has called.
   */
  async #look(): Promise<void> {
    const { connections, terminals, noted, isGiven } = this.#rooms
    const running = noted().all
    const begun = running.filter(({ sessionId, status }) => {
      const before = this.#statuses.get(sessionId)
      return status === 'working' && before !== 'working' && before !== 'waiting'
    })
    this.#statuses = new Map(running.map(({ sessionId, status }) => [sessionId, status]))
    this.#endConnected()
    for (const { sessionId: id, pid } of begun) {
      if (this.#isConnected(pid)) continue
      const terminal = await terminals.terminalOfPid(pid)
      if (terminal === null || !isGiven(terminal) || this.#isConnected(pid) || !this.#following) continue
      const { connection, calledAt } = this.#show(id, terminal, pid)
      if (calledAt === null) connections.tellTurn(connection)
    }
  }

  /** Something was written by the agent of a terminal that nothing else tells of. */
  #wrote(terminal: string, path: string): void {
    const { connections, terminals, isGiven } = this.#rooms
    const { profile, pid } = terminals.get(terminal)?.record ?? { profile: null, pid: null }
    if (profile !== claude.id || pid === null || !isGiven(terminal)) return
    const { connection } = this.#show(terminal, terminal, pid)
    connections.tellTurn(connection)
    connections.tellWrote({ connection, path, call: null })
  }

  #isConnected(pid: number | null): boolean {
    return this.#rooms.connections
      .list()
      .some((one) => one.dialect !== dialectId && pid !== null && one.pid === pid)
  }

  /** One that never called is shown for as long as it runs and nothing else shows it. */
  #endConnected(): void {
    const { noted, terminals } = this.#rooms
    for (const [id, { pid, calledAt }] of this.#shown) {
      const runs = noted().of(id)?.pid ?? terminals.get(id)?.record.pid
      if (calledAt === null && (runs !== pid || this.#isConnected(pid))) this.#end(id)
    }
  }

  #end(id: string): void {
    const shown = this.#shown.get(id)
    this.#shown.delete(id)
    shown?.entry.closed()
    if (this.#shown.size > 0) return
    clearInterval(this.#timer)
    this.#timer = undefined
  }

  #sweep(): void {
    const { isAsking, noted } = this.#rooms
    if (isAsking()) return
    const now = Date.now()
    for (const [id, { pid, calledAt }] of this.#shown) {
      const isGone = pid !== null && !processExists(pid)
      const isSilent = calledAt !== null && now - calledAt > longestSilence && noted().of(id) === null
      if (isGone || isSilent) this.#end(id)
    }
  }
}
