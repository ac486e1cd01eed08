import { randomInt } from 'node:crypto'

/** Whether this is the long form (npm run chaos, npm run test:long). */
export const isLong = process.env['GREENLIGHT_LONG'] !== undefined

/** The seed of this run. Set in the environment, so that every worker has the same one. */
process.env['GREENLIGHT_CHAOS_SEED'] ??= String(randomInt(2 ** 31))
export const seed = Number(process.env['GREENLIGHT_CHAOS_SEED'])

/** Random choices that the same seed repeats. */
export class Chance {
  #state: number

  /** Each part of a run has a sequence of its own, so that it can be repeated alone. */
  constructor(part: string) {
    this.#state = Buffer.from(part).reduce((sum, byte) => Math.imul(sum ^ byte, 16_777_619), seed)
  }

  /** From 0 to below 1 (mulberry32). */
  next(): number {
    this.#state = (this.#state + 0x6d2b79f5) | 0
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), 1 | this.#state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }

  /** An integer from `from` to `to`, both included. */
  between(from: number, to: number): number {
    return from + Math.floor(this.next() * (to - from + 1))
  }

  pick<T>(of: readonly T[]): T {
    const picked = of[this.between(0, of.length - 1)]
    if (picked === undefined) throw new Error('nothing to pick from')
    return picked
  }

  /** `count` of them, in random order. */
  some<T>(of: readonly T[], count: number): T[] {
    const left = [...of]
    const taken: T[] = []
    while (taken.length < count && left.length > 0) {
      taken.push(...left.splice(this.between(0, left.length - 1), 1))
    }
    return taken
  }
}
