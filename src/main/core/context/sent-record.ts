import type { SentEntry, SentItem } from '../../../shared/contract/context'
import { type Selected, isCursor } from '../../../shared/agent-view'
import { type Disposable, Emitter } from '../../../shared/lifetime'
import { firstOf } from '../../../shared/rpc/message-pieces'

/** How many entries are remembered; the oldest go first. */
const mostEntries = 500
/** How many paths of one entry, and characters of a selection, are remembered. */
const mostPaths = 100
const longestText = 400

/** Who received something. */
export interface Receiver {
  connection: string
  agent: string
}

/** What was really sent to agents, when and to whom; bounded, in memory only. */
export class SentRecord implements Disposable {
  #entries: SentEntry[] = []
  #nextId = 1
  readonly #now: () => number
  readonly #added = new Emitter<SentEntry>()
  /** Tells each entry; one with the id of the last replaces it. */
  readonly onEntry = this.#added.on

  constructor(now: () => number = Date.now) {
    this.#now = now
  }

  /** Oldest first. */
  get entries(): readonly SentEntry[] {
    return this.#entries
  }

  /** Adds what was sent. A cursor that moves within a file is one entry. */
  add({ connection, agent }: Receiver, how: SentEntry['how'], item: SentItem): void {
    const at = this.#now()
    const last = this.#entries.at(-1)
    const goesOn =
      last?.connection === connection &&
      last.how === how &&
      item.kind === 'cursor' &&
      isSameFile(last.item, item)
    const entry: SentEntry = {
      id: goesOn ? last.id : this.#nextId++,
      at,
      connection,
      agent,
      how,
      item: shorten(item),
    }
    const before = goesOn ? this.#entries.slice(0, -1) : this.#entries
    this.#entries = [...before, entry].slice(-mostEntries)
    this.#added.emit(entry)
  }

  dispose(): void {
    this.#added.dispose()
  }
}

/** A selection as the record keeps it; null if the agent was told that there is none. */
export function describeSelected(selected: Selected | null): SentItem {
  if (selected === null) return { kind: 'nothing' }
  const { path, start, end, text } = selected
  if (isCursor(selected)) return { kind: 'cursor', path, at: start }
  return { kind: 'selection', path, start, end, text, length: text.length }
}

/** The beginning of a text, never ending in half a character. */
export function beginningOf(text: string): string {
  return firstOf(text, longestText)
}

function shorten(item: SentItem): SentItem {
  switch (item.kind) {
    case 'selection':
      return { ...item, text: beginningOf(item.text) }
    case 'files':
    case 'diagnostics':
      return { ...item, paths: item.paths.slice(0, mostPaths) }
    case 'cursor':
    case 'mention':
    case 'nothing':
      return item
  }
}

function isSameFile(last: SentItem, item: Extract<SentItem, { kind: 'cursor' }>): boolean {
  return last.kind === 'cursor' && last.path === item.path
}
