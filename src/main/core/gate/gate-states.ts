import { isDeepStrictEqual } from 'node:util'
import { type Disposable, Emitter, type Listen } from '../../../shared/lifetime'
import type { Done } from '../../../shared/result'

/** Whether an agent's changes pass the gate. `unseen`: nothing has shown either yet. */
export type GateState = 'unseen' | 'in-force' | 'not-in-force'

/** The gate of one connection's agent, as far as its dialect knows. */
export interface Gated {
  state: GateState
  /** Its terminal's id, as in `GatePolicy`; null if unknown. */
  terminal: string | null
  /** It was started in a way that should make it ask, so if the gate isn't in force, that is worth a warning. */
  isExpected: boolean
  /** Why the gate isn't in force and what to do about it; null while it is, or while that is unknown. */
  sentence: string | null
}

/** What the person is asked once, before agents get a gate. */
export interface GateQuestion {
  words: string
  /** What the buttons for the two answers say. */
  agree: string
  decline: string
  /** Keeps the answer. */
  answer(agrees: boolean): Done
}

/** Which connections' agents pass the gate: told by the dialects whose agents have one, read by whoever shows it. */
export class GateStates implements Disposable {
  readonly #gated = new Map<string, Gated>()
  readonly #changes = new Emitter<string | null>()
  #isOffered = false
  #question: GateQuestion | null = null
  /** A connection's gate has changed or, without an id, whether new terminals get one, or the question. */
  readonly onChange: Listen<string | null> = this.#changes.on

  /** Whether agents in new terminals get a gate. */
  get isOffered(): boolean {
    return this.#isOffered
  }

  offer(isOffered: boolean): void {
    if (isOffered === this.#isOffered) return
    this.#isOffered = isOffered
    this.#changes.emit(null)
  }

  get question(): GateQuestion | null {
    return this.#question
  }

  ask(question: GateQuestion | null): void {
    if (question?.words === this.#question?.words) return
    this.#question = question
    this.#changes.emit(null)
  }

  /** By a connection's id; null if nothing is known about it. */
  of(connection: string): Gated | null {
    return this.#gated.get(connection) ?? null
  }

  tell(connection: string, gated: Gated): void {
    if (isDeepStrictEqual(this.#gated.get(connection), gated)) return
    this.#gated.set(connection, gated)
    this.#changes.emit(connection)
  }

  /** The connection has ended. */
  forget(connection: string): void {
    if (this.#gated.delete(connection)) this.#changes.emit(connection)
  }

  /** Everything known, by connection id. */
  list(): [connection: string, gated: Gated][] {
    return [...this.#gated]
  }

  dispose(): void {
    this.#changes.dispose()
  }
}
