import { type Disposable, Emitter, type Listen } from '../../../shared/lifetime'

/** Which changes are reviewed before they are written: every one, or those that the agent's mode asks about. */
export type GateMode = 'every' | 'mode'

/** How much is asked: the person's word for all terminals, or for one. */
export class GatePolicy implements Disposable {
  readonly #usual: () => GateMode
  readonly #own = new Map<string, GateMode>()
  readonly #changes = new Emitter<void>()
  /** The word for one terminal, or for all others, has changed. */
  readonly onChange: Listen<void> = this.#changes.on

  /** `usual`: for terminals that have no word of their own. */
  constructor(usual: () => GateMode) {
    this.#usual = usual
  }

  /** By a terminal's id; null for one that isn't known. */
  of(terminal: string | null): GateMode {
    return (terminal === null ? undefined : this.#own.get(terminal)) ?? this.#usual()
  }

  /** Whether a terminal has a word of its own. */
  isOwn(terminal: string): boolean {
    return this.#own.has(terminal)
  }

  /** For one terminal; null: as usual again. */
  set(terminal: string, mode: GateMode | null): void {
    if (mode === null) this.#own.delete(terminal)
    else this.#own.set(terminal, mode)
    this.#changes.emit()
  }

  /** The word for terminals that have none of their own has changed. */
  tell(): void {
    this.#changes.emit()
  }

  dispose(): void {
    this.#changes.dispose()
  }
}
