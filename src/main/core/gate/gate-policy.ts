import { type Disposable, Emitter, type Listen } from '../../../shared/lifetime'

/** Which changes are reviewed before they are written: every one, or those that the agent's mode asks about. */
export type GateMode = 'every' | 'mode'

/** How much is asked of one agent. */
export interface OwnPolicy extends Disposable {
  readonly mode: GateMode
  set(mode: GateMode): void
  /** The mode may have changed. */
  readonly onChange: Listen<void>
}

/** How much is asked: the person's word for all agents, or for one, by the id of its terminal or conversation. */
export class GatePolicy implements Disposable {
  readonly #usual: () => GateMode
  readonly #own = new Map<string, GateMode>()
  readonly #changes = new Emitter<void>()
  /** The word for one agent, or for all others, has changed. */
  readonly onChange: Listen<void> = this.#changes.on

  /** `usual`: for agents that have no word of their own. */
  constructor(usual: () => GateMode) {
    this.#usual = usual
  }

  /** By its id; null for one that isn't known. */
  of(agent: string | null): GateMode {
    return (agent === null ? undefined : this.#own.get(agent)) ?? this.#usual()
  }

  /** Whether an agent has a word of its own. */
  isOwn(agent: string): boolean {
    return this.#own.has(agent)
  }

  /** For one agent; null: as usual again. */
  set(agent: string, mode: GateMode | null): void {
    if (mode === null) this.#own.delete(agent)
    else this.#own.set(agent, mode)
    this.#changes.emit()
  }

  /** One agent's, until it is disposed of. */
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

  /** The word for agents that have none of their own has changed. */
  tell(): void {
    this.#changes.emit()
  }

  dispose(): void {
    this.#changes.dispose()
  }
}
