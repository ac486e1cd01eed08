/** A write that is about to happen, or has just happened, with the person's consent. */
export interface ExpectedWrite {
  /** Real path, see `resolveRealPath`. */
  path: string
  /** What the file will hold (see `hashContent`); null when it will be gone. */
  hash: string | null
  /** Who makes it: a review's id, "editor". Free text for the log. */
  origin: string
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

  /** Enters a write, before it is made. The same write may be entered several times; each counts once. */
  expect(write: ExpectedWrite): void {
    this.#drop()
    this.#entries.add({ write, until: this.#now() + this.#lifetime })
    for (const oldest of this.#entries) {
      if (this.#entries.size <= this.#capacity) break
      this.#entries.delete(oldest)
    }
  }

  /** The expected write that has this outcome, which is thereby used up; undefined if nobody announced it. */
  take(path: string, hash: string | null): ExpectedWrite | undefined {
    const entry = this.#find(path, hash)
    if (entry) this.#entries.delete(entry)
    return entry?.write
  }

  /** Like `take`, but leaves the entry for whoever takes it. */
  peek(path: string, hash: string | null): ExpectedWrite | undefined {
    return this.#find(path, hash)?.write
  }

  /** Takes a write back that did not happen. */
  cancel(write: ExpectedWrite): void {
    for (const entry of this.#entries) if (entry.write === write) this.#entries.delete(entry)
  }

  #find(path: string, hash: string | null) {
    this.#drop()
    for (const entry of this.#entries)
      if (entry.write.path === path && entry.write.hash === hash) return entry
    return undefined
  }

  /** Entries are in the order of their expiry, so the first one that is still good ends the search. */
  #drop(): void {
    for (const entry of this.#entries) {
      if (entry.until > this.#now()) return
      this.#entries.delete(entry)
    }
  }
}
