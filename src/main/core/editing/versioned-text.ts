import { ChangeSet, type Text } from '@codemirror/state'
import { countSteps } from '../../../shared/review/client-steps'

/** One step of a text's history, as `@codemirror/collab` counts them: each raises the version by one. */
export interface TextUpdate {
  /** Who made it: a page's own id, by which the page recognizes its updates when they come back. */
  clientID: string
  changes: ChangeSet
}

/** A step on the wire: `changes` is what `ChangeSet.toJSON` returns, and not to be trusted. */
export interface WireUpdate {
  clientID: string
  changes: unknown
}

/**
 * `accepted`: the updates count, and go to all pages. `behind`: the page lacks updates; it fetches them, rebases its
 * own and pushes again. `invalid`: the changes don't fit the text; take it again.
 */
export type PushStatus = 'accepted' | 'behind' | 'invalid'

const mostUpdates = 5000

/**
 * A document's authoritative text and its recent history. Pages push updates made on a version; only those made on the
 * newest are accepted, so all pages arrive at the same text. Old history is forgotten.
 */
export class VersionedText {
  #text: Text
  #updates: TextUpdate[] = []
  #start: number
  #clients: ReadonlyMap<string, number>
  readonly #mostUpdates: number

  /**
   * `version` should be above any that this document had before, so that pages left over from then are noticed;
   * `clients` continues the counts.
   */
  constructor(
    text: Text,
    version = 0,
    clients: ReadonlyMap<string, number> = new Map(),
    limit = mostUpdates,
  ) {
    this.#text = text
    this.#clients = clients
    this.#start = version
    this.#mostUpdates = limit
  }

  get text(): Text {
    return this.#text
  }

  get version(): number {
    return this.#start + this.#updates.length
  }

  /** How many updates each recent client has pushed. */
  get clients(): ReadonlyMap<string, number> {
    return this.#clients
  }

  /** Takes updates that were made on `version`, all or none. */
  push(version: number, updates: readonly WireUpdate[]): PushStatus {
    if (version !== this.version) return version < this.version ? 'behind' : 'invalid'
    const parsed: TextUpdate[] = []
    let text = this.#text
    for (const { clientID, changes } of updates) {
      const set = parseChanges(changes)
      if (!set || set.length !== text.length) return 'invalid'
      text = set.apply(text)
      parsed.push({ clientID, changes: set })
    }
    for (const update of parsed) {
      this.#append(update)
      this.#clients = countSteps(this.#clients, update.clientID, 1)
    }
    return 'accepted'
  }

  /** Makes a change of the host's own. An empty one is no update. */
  apply(clientID: string, changes: ChangeSet): void {
    if (!changes.empty) this.#append({ clientID, changes })
  }

  /** The updates after `version`; undefined if they are forgotten or never existed. */
  since(version: number): TextUpdate[] | undefined {
    if (version < this.#start || version > this.version) return undefined
    return this.#updates.slice(version - this.#start)
  }

  /** Everything since `version` as one change, to map positions through. Undefined like `since`. */
  changesSince(version: number): ChangeSet | undefined {
    const updates = this.since(version)
    if (!updates) return undefined
    const first = updates[0]
    if (!first) return ChangeSet.empty(this.#text.length)
    return updates.slice(1).reduce((sum, update) => sum.compose(update.changes), first.changes)
  }

  #append(update: TextUpdate): void {
    this.#text = update.changes.apply(this.#text)
    this.#updates.push(update)
    // Half at a time, so that a long session doesn't move the whole list on every update.
    if (this.#updates.length <= this.#mostUpdates) return
    const forgotten = this.#mostUpdates >> 1
    this.#updates = this.#updates.slice(forgotten)
    this.#start += forgotten
  }
}

function parseChanges(json: unknown): ChangeSet | undefined {
  try {
    return ChangeSet.fromJSON(json)
  } catch {
    return undefined
  }
}
