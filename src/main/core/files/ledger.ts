/** A write that is about to happen, or has just happened, with the person's consent. */
export interface ExpectedWrite {
  /** Real path, see `resolveRealPath`. */
  path: string
  /** What the file will hold (see `hashContent`); null when it will be gone. */
  hash: string | null
}

/** An expected write counts for so long, in milliseconds. */
const defaultLifetime = 60_000
/** More entries than this are never kept; the oldest goes first. */
const defaultCapacity = 10_000

/**
 * The writes that were agreed to. Whoever sees a file change asks here first, so that an accepted change, or a saved
 * file, does not come back as something an agent did unasked.
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

  /** Enters a write, before it is made. */
  expect(write: ExpectedWrite): void {
    this.#drop()
    this.#entries.add({ write, until: this.#now() + this.#lifetime })
    for (const oldest of this.#entries) {
      if (this.#entries.size <= this.#capacity) break
      this.#entries.delete(oldest)
    }
  }

  /** Whether it was announced that a file would hold this; null for a file that is gone. */
  expects(path: string, hash: string | null): boolean {
    this.#drop()
    for (const { write } of this.#entries) if (write.path === path && write.hash === hash) return true
    return false
  }

  /** Takes a write back that did not happen. */
  cancel(write: ExpectedWrite): void {
    for (const entry of this.#entries) if (entry.write === write) this.#entries.delete(entry)
  }

  /** Entries are in the order of their expiry, so the first one that is still good ends the search. */
  #drop(): void {
    for (const entry of this.#entries) {
      if (entry.until > this.#now()) return
      this.#entries.delete(entry)
    }
  }
}
