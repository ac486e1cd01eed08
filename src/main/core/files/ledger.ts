import { dropOldest } from '../../../shared/drop-oldest'

/** A write that is about to happen, or has just happened, with the person's consent. */
export interface ExpectedWrite {
  /** Real path, see `resolveRealPath`. */
  path: string
  /** What the file will hold (see `hashContent`); null if it will be gone. */
  hash: string | null
}

/** How long an expected write counts, in milliseconds. */
const defaultLifetime = 60_000
/** How many entries are kept; the oldest go first. */
const defaultCapacity = 10_000

/**
 * The writes that were agreed to. Whoever sees a file change asks here first, so that an accepted change or a saved
 * file isn't mistaken for something an agent did unasked.
 */
export class Ledger {
  #entries = new Set<{ write: ExpectedWrite; until: number }>()
  readonly #lifetime: number
  readonly #capacity: number
  readonly #now: () => number

  constructor({ lifetime = defaultLifetime, capacity = defaultCapacity, now = Date.now } = {}) {
    this.#lifetime = lifetime
    this.#capacity = capacity
    this.#now = now
  }

  /** Announces a write, before it is made. */
  expect(write: ExpectedWrite): void {
    this.#drop()
    this.#entries.add({ write, until: this.#now() + this.#lifetime })
    dropOldest(this.#entries, this.#capacity)
  }

  /** Whether it was announced that a file would hold this; null: that it would be gone. */
  expects(path: string, hash: string | null): boolean {
    this.#drop()
    for (const { write } of this.#entries) if (write.path === path && write.hash === hash) return true
    return false
  }

  /** Takes back a write that didn't happen. */
  cancel(write: ExpectedWrite): void {
    for (const entry of this.#entries) if (entry.write === write) this.#entries.delete(entry)
  }

  /** Entries expire in order, so the first valid one ends the search. */
  #drop(): void {
    for (const entry of this.#entries) {
      if (entry.until > this.#now()) return
      this.#entries.delete(entry)
    }
  }
}
