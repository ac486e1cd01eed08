import { ChangeSet, type Text } from '@codemirror/state'
import { countSteps } from '../../../shared/review/client-steps'

/** One step of a text's history, as `@codemirror/collab` counts them: each raises the version by one. */
export interface TextUpdate {
  /** Who made it: a page's own id, so that the page knows its updates when they come back. */
  clientID: string
  changes: ChangeSet
}

/** A step on the wire: `changes` is what `ChangeSet.toJSON` gives, and not to be trusted. */
export interface WireUpdate {
  clientID: string
  changes: unknown
}

/**
 * `accepted`: the updates count, and are told to all. `behind`: the pusher lacks updates; it fetches them, moves its
 * own over them and pushes again. `invalid`: the changes do not fit the text; take it anew.
 */
export type PushStatus = 'accepted' | 'behind' | 'invalid'

const mostUpdates = 5000

/**
 * The one true text of a document and its latest history. Pages push updates made on a version; only those made on
 * the newest are taken, so all pages come to the same text. Old history is forgotten.
 */
export class VersionedText {
  #text: Text
  #updates: TextUpdate[] = []
  #start: number
  #clients: ReadonlyMap<string, number>
  readonly #mostUpdates: number

  /**
   * `version` should be above any that this text's name had before, so that a page left over from then is told apart;
   * `clients` are the counts from then.
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

  /** How many updates each of the latest clients has pushed. */
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

  /** The updates after `version`, or undefined when they are forgotten, or were never there. */
  since(version: number): TextUpdate[] | undefined {
    if (version < this.#start || version > this.version) return undefined
    return this.#updates.slice(version - this.#start)
  }

  /** What has happened since `version` as one change, to bring a position along. Undefined like `since`. */
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
    // Half at a time, so that not every update of a long session moves the whole list.
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
