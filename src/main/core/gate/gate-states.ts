import { isDeepStrictEqual } from 'node:util'
import { type Disposable, Emitter, type Listen } from '../../../shared/lifetime'
import type { Done } from '../../../shared/result'

/** Whether an agent's changes pass the gate. `unseen`: nothing has shown it yet. */
export type GateState = 'unseen' | 'in-force' | 'not-in-force'

/** The gate of one connection's agent, as its dialect has found it. */
export interface Gated {
  state: GateState
  /** Its terminal, by the id for which `GatePolicy` has a word; null if it isn't known. */
  terminal: string | null
  /** It was given what makes it ask, so a gate that isn't in force is worth a warning. */
  isExpected: boolean
  /** Why the gate isn't in force, with what to do; null while it is, or nothing has shown. */
  sentence: string | null
}

/** What the person is asked once, before agents can pass the gate. */
export interface GateQuestion {
  words: string
  /** The words of the two answers. */
  agree: string
  decline: string
  /** What was answered is kept. */
  answer(agrees: boolean): Done
}

/** Which connections' agents pass the gate. Dialects whose agents have one tell it, and whoever shows it asks here. */
export class GateStates implements Disposable {
  readonly #gated = new Map<string, Gated>()
  readonly #changes = new Emitter<string | null>()
  #isOffered = false
  #question: GateQuestion | null = null
  /** Something of a connection's gate has changed, or, without an id, whether new terminals get one or what is asked. */
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

  /** By a connection's id; null for one of which nothing is known. */
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

  /** All that is known, by the ids of connections. */
  list(): [connection: string, gated: Gated][] {
    return [...this.#gated]
  }

  dispose(): void {
    this.#changes.dispose()
  }
}
