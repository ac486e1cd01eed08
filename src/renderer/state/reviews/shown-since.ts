import type { Side } from '../../../shared/contract/tabs'

/** A review that has not been in sight for so long, in milliseconds, was not what a key was pressed for. */
const noticeTime = 400

/** Remembers since when each side of the middle has shown its tab. */
export class ShownSince {
  readonly #sides = new Map<Side, { id: string | null; at: number }>()

  /** Takes in what the sides show now, at a time in milliseconds. */
  hear(shown: Readonly<Record<Side, string | null>>, now: number): void {
    for (const side of ['left', 'right'] as const) {
      if (this.#sides.get(side)?.id !== shown[side]) this.#sides.set(side, { id: shown[side], at: now })
    }
  }

  /** Whether a tab has been shown for long enough to be meant by a key. */
  isNoticed(id: string, now: number): boolean {
    return [...this.#sides.values()].some((side) => side.id === id && now - side.at >= noticeTime)
  }
}
