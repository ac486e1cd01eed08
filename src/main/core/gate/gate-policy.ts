import { type Disposable, Emitter, type Listen } from '../../../shared/lifetime'

/** Which changes are reviewed before they are written: all of them, or those that the agent's mode asks about. */
export type GateMode = 'every' | 'mode'

/** How much is asked of one agent. */
export interface OwnPolicy extends Disposable {
  readonly mode: GateMode
  set(mode: GateMode): void
  /** The mode may have changed. */
  readonly onChange: Listen<void>
}

/** How much is asked: what the person chose for all agents, or for one, by the id of its terminal or conversation. */
export class GatePolicy implements Disposable {
  readonly #usual: () => GateMode
  readonly #own = new Map<string, GateMode>()
  readonly #changes = new Emitter<void>()
  /** The choice for one agent, or for all others, has changed. */
  readonly onChange: Listen<void> = this.#changes.on

  /** `usual`: for agents without a choice of their own. */
  constructor(usual: () => GateMode) {
    this.#usual = usual
  }

  /** For an agent by its id; null for an unknown agent. */
  of(agent: string | null): GateMode {
    return (agent === null ? undefined : this.#own.get(agent)) ?? this.#usual()
  }

  /** Whether an agent has a choice of its own. */
  isOwn(agent: string): boolean {
    return this.#own.has(agent)
  }

  /** Sets one agent's choice; null: as usual again. */
  set(agent: string, mode: GateMode | null): void {
    if (mode === null) this.#own.delete(agent)
    else this.#own.set(agent, mode)
    this.#changes.emit()
  }

  /** One agent's choice, which ends when the result is disposed of. */
  for(agent: string): OwnPolicy {
    const modeOf = () => this.of(agent)
    return {
      get mode() {
        return modeOf()
      },
      set: (mode) => this.set(agent, mode),
      onChange: this.onChange,
      dispose: () => this.set(agent, null),
    }
  }

  /** The choice for agents without their own has changed. */
  tell(): void {
    this.#changes.emit()
  }

  dispose(): void {
    this.#changes.dispose()
  }
}
