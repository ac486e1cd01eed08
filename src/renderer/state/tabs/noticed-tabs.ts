import type { Side } from '../../../shared/contract/tabs'

/** How long a review must have been visible for a key to be meant for it, in milliseconds. */
const noticeTime = 400

/** Remembers how long each side of the middle has shown its tab. */
export class NoticedTabs {
  readonly #sides = new Map<Side, { id: string | null; at: number }>()

  /** Records what the sides show at a time, in milliseconds. */
  hear(shown: Readonly<Record<Side, string | null>>, now: number): void {
    for (const side of ['left', 'right'] as const) {
      if (this.#sides.get(side)?.id !== shown[side]) this.#sides.set(side, { id: shown[side], at: now })
    }
  }

  /** Whether a tab has been shown long enough for a key to be meant for it. */
  isNoticed(id: string, now: number): boolean {
    return [...this.#sides.values()].some((side) => side.id === id && now - side.at >= noticeTime)
  }
}
