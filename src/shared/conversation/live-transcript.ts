import type { Block, Item, ReadTranscript, SessionFacts, Turn } from './transcript'
import { addUsage } from './transcript'

/** A change of a transcript that grows while it is read; it refers to items by id. */
export type TranscriptChange =
  /** An item to add at the end, or to replace the one with its id. */
  | { kind: 'put'; item: Item }
  /** A block of a known item: the next one, or one that replaces the block at that place. */
  | { kind: 'block'; item: string; place: number; block: Block }
  /** More of a text, of thinking, or of a tool's input while that is still a text. */
  | { kind: 'more'; item: string; place: number; text: string }

const noFacts: SessionFacts = {
  ...{ sessionId: null, title: null, titleBy: null, folder: null, firstFolder: null, branch: null },
  ...{ model: null, version: null, costUSD: null, usage: null, lastAt: null },
}

/**
 * A transcript made of items and of changes to them by id, for page and host. A change takes time in proportion to what
 * it brings, however long the item or the transcript is. A changed item is a new object.
 */
export class LiveTranscript implements ReadTranscript {
  #items: Item[] = []
  readonly #places = new Map<string, number>()
  /** How many items were prepended. */
  #inFront = 0
  facts: SessionFacts = noFacts
  activity: ReadTranscript['activity'] = 'unknown'
  readonly others = []

  get length(): number {
    return this.#items.length
  }

  at(index: number): Item | undefined {
    return this.#items[index]
  }

  idAt(index: number): string | undefined {
    return this.#items[index]?.id
  }

  indexOf(id: string): number {
    const place = this.#places.get(id)
    return place === undefined ? -1 : place + this.#inFront
  }

  agentItems(): readonly Item[] {
    return []
  }

  turnAt(index: number): Turn | undefined {
    if (!this.#items[index]) return undefined
    let from = index
    while (from > 0 && this.#items[from]?.kind !== 'prompt') from--
    let to = index + 1
    while (to < this.#items.length && this.#items[to]?.kind !== 'prompt') to++
    const items = this.#items.slice(from, to)
    const usage = items.reduce<Turn['usage']>(
      (sum, item) => (item.kind === 'reply' ? addUsage(sum, item.usage) : sum),
      null,
    )
    const costs = items.flatMap((item) => (item.kind === 'reply' ? (item.costUSD ?? []) : []))
    return {
      id: items[0]?.id ?? '',
      startedAt: items[0]?.at ?? null,
      endedAt: items.at(-1)?.at ?? null,
      duration: null,
      usage,
      costUSD: costs.length === 0 ? null : costs.reduce((sum, cost) => sum + cost, 0),
      length: items.length,
    }
  }

  /** Applies changes; those of unknown items change nothing. */
  apply(changes: readonly TranscriptChange[]): void {
    for (const change of changes) {
      if (change.kind === 'put') this.#put(change.item)
      else this.#change(change)
    }
  }

  /** Adds items before the first one. */
  prepend(items: readonly Item[]): void {
    const fresh = items.filter(({ id }) => !this.#places.has(id))
    this.#inFront += fresh.length
    fresh.forEach(({ id }, index) => this.#places.set(id, index - this.#inFront))
    this.#items = [...fresh, ...this.#items]
  }

  /** The last `count` items, or those before an item. */
  page(count: number, before?: string): { items: Item[]; hasEarlier: boolean } {
    const found = before === undefined ? this.length : this.indexOf(before)
    const to = Math.max(0, found)
    const from = Math.max(0, to - count)
    return { items: this.#items.slice(from, to), hasEarlier: from > 0 }
  }

  #put(item: Item): void {
    const place = this.indexOf(item.id)
    if (place >= 0) this.#items[place] = item
    else {
      this.#places.set(item.id, this.#items.length - this.#inFront)
      this.#items.push(item)
    }
  }

  #change(change: Exclude<TranscriptChange, { kind: 'put' }>): void {
    const index = this.indexOf(change.item)
    const item = this.#items[index]
    if (!item || item.kind === 'notice' || change.place > item.blocks.length) return
    const before = item.blocks[change.place]
    const block = change.kind === 'block' ? change.block : before && withMore(before, change.text)
    if (!block) return
    const blocks = [...item.blocks]
    blocks[change.place] = block
    this.#items[index] = { ...item, blocks }
  }
}

function withMore(block: Block, text: string): Block {
  switch (block.kind) {
    case 'text':
    case 'thinking':
      return { ...block, text: block.text + text }
    case 'tool': {
      const { input } = block.call
      return { ...block, call: { ...block.call, input: (typeof input === 'string' ? input : '') + text } }
    }
    default:
      return block
  }
}

/** Joins consecutive additions to a text, so that a reader that is behind gets fewer changes. */
export function joinChanges(changes: readonly TranscriptChange[]): TranscriptChange[] {
  const joined: TranscriptChange[] = []
  for (const change of changes) {
    const last = joined.at(-1)
    if (
      last?.kind === 'more' &&
      change.kind === 'more' &&
      last.item === change.item &&
      last.place === change.place
    )
      joined[joined.length - 1] = { ...last, text: last.text + change.text }
    else joined.push(change)
  }
  return joined
}
