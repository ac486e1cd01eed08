import type { Block, Item, ReadTranscript, SessionFacts, Turn } from './transcript'
import { addUsage, toolsOf } from './transcript'

/** A change of a transcript that grows while it is read; it refers to items by id. */
export type TranscriptChange =
  /** An item to add at the end, or to replace the one with its id. `agent`: whose it is (`ToolCall.agent`). */
  | { kind: 'put'; item: Item; agent?: string }
  /** A block of a known item: either the next one, or a replacement for the one at that place. */
  | { kind: 'block'; item: string; place: number; block: Block }
  /** More of a text, of thinking, or of a tool's input while that is still a text. */
  | { kind: 'more'; item: string; place: number; text: string }

/** A stretch of a transcript, with everything that its calls' sub-agents have said. */
export interface TranscriptPage {
  items: Item[]
  agents: { agent: string; items: Item[] }[]
  hasEarlier: boolean
}

const noFacts: SessionFacts = {
  ...{ sessionId: null, title: null, titleBy: null, folder: null, firstFolder: null, branch: null },
  ...{ model: null, version: null, costUSD: null, usage: null, lastAt: null },
}

/**
 * A transcript made of items and of changes to them by id, for page and host. How long a change takes depends only on
 * its own size, not on that of the item or the transcript. A changed item is a new object.
 */
export class LiveTranscript implements ReadTranscript {
  #items: Item[] = []
  readonly #places = new Map<string, number>()
  /** How many items were prepended. */
  #inFront = 0
  readonly #agents = new Map<string, LiveTranscript>()
  /** The sub-agent that an item belongs to. */
  readonly #owners = new Map<string, string>()
  facts: SessionFacts = noFacts
  activity: ReadTranscript['activity'] = 'unknown'
  readonly others = []

  get items(): readonly Item[] {
    return this.#items
  }

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

  agentItems(agent: string): readonly Item[] {
    return this.#agents.get(agent)?.items ?? []
  }

  /** An item, of the conversation or of a sub-agent. */
  find(id: string): Item | undefined {
    const owner = this.#owners.get(id)
    return owner === undefined ? this.at(this.indexOf(id)) : this.#agents.get(owner)?.find(id)
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

  /** Applies changes; a change to an unknown item does nothing. */
  apply(changes: readonly TranscriptChange[]): void {
    for (const change of changes) {
      const isPut = change.kind === 'put'
      if (isPut && change.agent !== undefined) this.#owners.set(change.item.id, change.agent)
      const owner = isPut ? change.agent : this.#owners.get(change.item)
      const transcript = owner === undefined ? this : this.#agent(owner)
      if (isPut) transcript.#put(change.item)
      else transcript.#change(change)
    }
  }

  /** Adds an earlier page. */
  prependPage({ items, agents }: Pick<TranscriptPage, 'items' | 'agents'>): void {
    this.prepend(items)
    for (const { agent, items: said } of agents) {
      for (const { id } of said) this.#owners.set(id, agent)
      this.#agent(agent).prepend(said)
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
  page(count: number, before?: string): TranscriptPage {
    const found = before === undefined ? this.length : this.indexOf(before)
    const to = Math.max(0, found)
    const from = Math.max(0, to - count)
    const items = this.#items.slice(from, to)
    return { items, agents: this.#agentsIn(items), hasEarlier: from > 0 }
  }

  /** What the sub-agents of these items' calls said, and the sub-agents of theirs. */
  #agentsIn(items: readonly Item[]): TranscriptPage['agents'] {
    if (this.#agents.size === 0) return []
    return items.flatMap((item) =>
      item.kind === 'notice'
        ? []
        : toolsOf(item.blocks).flatMap(({ agent }) => {
            const said = agent === null ? undefined : this.#agents.get(agent)?.items
            if (agent === null || !said) return []
            return [{ agent, items: [...said] }, ...this.#agentsIn(said)]
          }),
    )
  }

  #agent(name: string): LiveTranscript {
    let agent = this.#agents.get(name)
    if (!agent) this.#agents.set(name, (agent = new LiveTranscript()))
    return agent
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

/** Adds a change to those that a reader has yet to get. Consecutive additions to a text become one. */
export function addChange(changes: TranscriptChange[], change: TranscriptChange): void {
  const last = changes.at(-1)
  if (
    last?.kind === 'more' &&
    change.kind === 'more' &&
    last.item === change.item &&
    last.place === change.place
  )
    changes[changes.length - 1] = { ...change, text: last.text + change.text }
  else changes.push(change)
}
