import { type Disposable, DisposableStack } from '../../../shared/lifetime'
import type { ApprovalAsking } from '../../core/approvals/approvals'
import type { Connections } from '../../core/connections/connections'
import type { NotedStatus, RunningSessions } from '../../core/history/running-sessions'
import type { Terminals } from '../../core/terminal/terminals'
import type { HookCall } from '../../protocols/claude-hooks/hook-wire'
import { PermissionCards } from '../../protocols/claude-hooks/permission-cards'
import type { HookEvents, HookSession, HookSource } from '../../protocols/claude-hooks/ports'
import { SessionWatch } from '../../protocols/claude-hooks/session-watch'
import { sessionWords } from '../../protocols/claude-hooks/session-words'

/** What the events of one window's sessions need of it. */
export interface EventRooms {
  connections: Connections
  terminals: Pick<Terminals, 'get'>
  approvals: Pick<ApprovalAsking, 'ask'>
  /** What command lines note about themselves. */
  noted(): Pick<RunningSessions, 'of' | 'onChange'>
  folders(): readonly string[]
  /** Whether agents show what they propose in a connected editor at all. */
  opensDiffs(): Promise<boolean>
  /** Whether the person wants to be asked what terminals ask. */
  isAsking(): boolean
  /** Whether a page shows the window. */
  isWatched(): boolean
}

/** What sessions tell by their hooks beside their changes: when they work, and what their terminals ask. */
export class SessionEvents implements Omit<HookEvents, 'placed'>, Disposable {
  readonly #rooms: EventRooms
  readonly #watch: SessionWatch
  readonly #cards: PermissionCards
  /** The connection that each session was last seen to have. */
  readonly #connectionOf = new Map<string, string>()
  readonly #statuses = new Map<string, NotedStatus>()
  /** While anything is heard. */
  #following: DisposableStack | null = null

  constructor(rooms: EventRooms) {
    this.#rooms = rooms
    const { terminals, approvals } = rooms
    const watch = new SessionWatch((session) => {
      // Only what is typed in a terminal of the window tells sooner than the note that it was answered.
      const terminal = this.#watch.of(session)?.terminal
      return (
        this.#status(session) === 'waiting' && terminal !== undefined && terminals.get(terminal) !== undefined
      )
    })
    this.#watch = watch
    this.#cards = new PermissionCards({
      ...{ approvals, watch },
      isOn: () => rooms.isAsking(),
      hasPage: () => rooms.isWatched(),
      folders: () => rooms.folders(),
      opensDiffs: () => rooms.opensDiffs(),
      status: (session) => this.#status(session),
    })
  }

  /** A session is shown as this connection. */
  connected(session: string, connection: string): void {
    if (!this.#watch.of(session)) return
    this.#connectionOf.set(session, connection)
    this.#rooms.connections.tellWork(connection, () => this.#watch.workOf(session))
    this.#tell(session)
  }

  heard(call: HookCall, from: HookSource): void {
    this.#following ??= this.#follow()
    this.#watch.heard(call, from)
    this.#cards.heard(call)
  }

  answer(call: HookCall, session: HookSession, signal: AbortSignal): Promise<object | null> {
    return call.hook_event_name === 'PermissionRequest'
      ? this.#cards.answer(call, session, signal)
      : Promise.resolve(null)
  }

  /** Whether the terminal asked the person about a call that is over. */
  wasAsked(session: string, call: string): boolean {
    return this.#watch.wasAsked(session, call)
  }

  /** Forgets all, until something is heard again. */
  dispose(): void {
    for (const { session } of this.#watch.all) this.#watch.forget(session)
    this.#following?.dispose()
    this.#following = null
  }

  #follow(): DisposableStack {
    const watch = this.#watch
    return new DisposableStack(
      this.#rooms.noted().onChange(() => this.#look()),
      this.#rooms.connections.onTurn((connection) => {
        for (const [session, its] of this.#connectionOf) if (its === connection) watch.turnShown(session)
      }),
      watch.onChange((session) => {
        this.#tell(session)
        if (watch.of(session)) return
        this.#connectionOf.delete(session)
        this.#statuses.delete(session)
      }),
    )
  }

  /** Shows at its connection what a session does. */
  #tell(session: string): void {
    const { connections } = this.#rooms
    const connection = connections.find(this.#connectionOf.get(session) ?? '')
    if (!connection) return
    const watched = this.#watch.of(session)
    const doing = watched && sessionWords(watched)
    if (doing !== (connection.doing ?? null)) connections.update(connection.id, { doing })
  }

  #status(session: string): NotedStatus {
    return this.#rooms.noted().of(session)?.status ?? 'unknown'
  }

  #look(): void {
    for (const { session } of this.#watch.all) {
      const status = this.#status(session)
      const before = this.#statuses.get(session)
      if (status === before) continue
      this.#statuses.set(session, status)
      this.#cards.noted(session, status)
      // Until it has noted that it works, `idle` is from before its turn.
      if (status === 'idle' && before !== undefined && before !== 'unknown') this.#watch.rests(session)
    }
  }
}
