import type { Connection } from '../../../shared/contract/connections'
import { type Disposable, DisposableStack, disposable } from '../../../shared/lifetime'
import type { Connections } from '../../core/connections/connections'
import type { NotedStatus } from '../../core/history/running-sessions'
import type { GateStates } from '../../core/gate/gate-states'
import {
  type LivenessState,
  mostAhead,
  type Witness,
  hear,
  unseen,
} from '../../protocols/claude-hooks/gate-liveness'
import type { HookCall } from '../../protocols/claude-hooks/hook-wire'

/** What the watch needs to know. */
export interface GateWatchParts {
  connections: Pick<Connections, 'list' | 'find' | 'proposing' | 'onTurn' | 'onWrote' | 'onGone' | 'onChange'>
  states: GateStates
  /** Whether a terminal was given the hooks. */
  isGiven(terminal: string): boolean
  /** Follows what a command line notes of its work, from what it notes now. */
  followStatus(pid: number, listener: (status: NotedStatus) => void): Disposable
  /**
   * Why a connection's hooks aren't called, as a sentence, and the terminal that its environment names; null if that isn't
   * known. `refusal`: what a request was answered that came in its turn.
   */
  explain(
    connection: Connection,
    refusal: string | null,
  ): Promise<{ sentence: string; terminal: string | null }>
  /** Whether settings now switch hooks off for a session that works in a folder. */
  areSwitchedOff(folder: string): Promise<boolean>
  now?: () => number
}

interface Watched {
  live: LivenessState
  /** The terminal that its hooks name, or its environment where they aren't called; null before that is known. */
  terminal: string | null
  /** When its last turn began, in milliseconds since the epoch. */
  turnAt: number
  sentence: string | null
  /** Follows its status in a turn in which no hook was called yet. */
  status: Disposable | null
}

/**
 * Watches whether the hooks of each connection are called, by what they and others show, and tells how it is. A command
 * line is followed once it may be gated, or shows a turn or a hook.
 */
export class GateWatch implements Disposable {
  readonly #parts: GateWatchParts
  readonly #now: () => number
  readonly #owned = new DisposableStack()
  readonly #watched = new Map<string, Watched>()
  #refusal: { message: string; at: number } | null = null
  #isOn = true

  constructor(parts: GateWatchParts) {
    this.#parts = parts
    this.#now = parts.now ?? Date.now
    const { connections } = parts
    this.#owned.add(connections.onTurn((id) => this.#hear(id, { kind: 'turn' })))
    this.#owned.add(
      connections.onWrote(({ connection, call }) => this.#hear(connection, { kind: 'written', call })),
    )
    this.#owned.add(connections.onGone((id) => this.#forget(id)))
    this.#owned.add(connections.onChange(() => this.look()))
    this.#owned.add(disposable(() => this.#forgetAll()))
  }

  /** While it is off, no hooks are expected of anyone, and nothing is told. */
  set isOn(isOn: boolean) {
    this.#isOn = isOn
    if (!isOn) this.#forgetAll()
    this.look()
  }

  /** A hook was called in a connection's session, by an agent that was started with a terminal's id. */
  heard(connection: string, call: HookCall, terminal: string): void {
    if (!this.#isOn) return
    this.#watch(connection).terminal = terminal
    const { hook_event_name: event } = call
    this.#hear(connection, {
      ...{ kind: 'hook', event },
      ...(call.hook_event_name === 'PreToolUse' ? { call: call.tool_use_id } : {}),
    })
    // Where the change is that hooks are off, this was the last of them.
    if (event === 'ConfigChange') void this.#lookAtSettings(connection, call.cwd)
  }

  /** A hook's request was refused because it showed no token, so nobody knows whose it was. */
  refused(message: string): void {
    this.#refusal = { message, at: this.#now() }
  }

  dispose(): void {
    this.#owned.dispose()
  }

  /** Tells how it is now, of those that may be gated from their beginning. */
  look(): void {
    if (!this.#isOn) return
    const { connections } = this.#parts
    const proposing = connections.proposing()
    for (const { id, pid, terminal } of connections.list()) {
      const mayBeGated = pid !== null && proposing.has(pid) && this.#isGiven(terminal)
      if (!mayBeGated && !this.#watched.has(id)) continue
      this.#watch(id)
      this.#tell(id)
    }
  }

  #isGiven(terminal: string | null): boolean {
    return terminal !== null && this.#parts.isGiven(terminal)
  }

  #watch(id: string): Watched {
    const known = this.#watched.get(id)
    if (known) return known
    const watched: Watched = { live: unseen, terminal: null, turnAt: 0, sentence: null, status: null }
    this.#watched.set(id, watched)
    return watched
  }

  #hear(id: string, witness: Witness): void {
    const connection = this.#parts.connections.find(id)
    if (!connection || !this.#isOn) return
    const watched = this.#watch(id)
    const now = this.#now()
    const before = watched.live.is
    watched.live = hear(watched.live, witness, now)
    if (witness.kind === 'turn') watched.turnAt = now
    this.#followStatus(id, watched, connection.pid)
    if (watched.live.is !== 'not-in-force') watched.sentence = null
    else if (before !== 'not-in-force') void this.#explain(connection, watched)
    this.#tell(id)
  }

  async #lookAtSettings(connection: string, folder: string): Promise<void> {
    if (await this.#parts.areSwitchedOff(folder)) this.#hear(connection, { kind: 'off' })
  }

  /** Only a turn without a hook has to be seen ending. */
  #followStatus(id: string, watched: Watched, pid: number | null): void {
    const isSilent = watched.live.turn?.heard === false
    if (!isSilent) {
      watched.status?.dispose()
      watched.status = null
    } else if (!watched.status && pid !== null) {
      watched.status = this.#parts.followStatus(pid, (status) => this.#hear(id, { kind: 'status', status }))
    }
  }

  async #explain(connection: Connection, watched: Watched): Promise<void> {
    const refusal =
      this.#refusal && this.#refusal.at >= watched.turnAt - mostAhead ? this.#refusal.message : null
    const { sentence, terminal } = await this.#parts.explain(connection, refusal)
    if (watched.live.is !== 'not-in-force') return
    watched.sentence = sentence
    if (this.#isGiven(terminal)) watched.terminal ??= terminal
    this.#tell(connection.id)
  }

  #tell(id: string): void {
    const watched = this.#watched.get(id)
    const connection = this.#parts.connections.find(id)
    if (!watched || !connection) return
    const { live, sentence } = watched
    // What has called hooks once is expected to go on, and so is what was started with them elsewhere.
    const isExpected = this.#isGiven(connection.terminal) || watched.terminal !== null
    const terminal = watched.terminal ?? connection.terminal
    this.#parts.states.tell(id, { state: live.is, terminal, isExpected, sentence })
  }

  #forgetAll(): void {
    for (const id of this.#watched.keys()) this.#forget(id)
  }

  #forget(id: string): void {
    this.#watched.get(id)?.status?.dispose()
    if (this.#watched.delete(id)) this.#parts.states.forget(id)
  }
}
