import { OffsetList } from '../text/offset-list'
import { SessionFactsReader } from './session-facts'
import { makeItem, readLine, type ReadLine, type ToolKnowledge } from './session-item'
import { objectOf, stringOf } from '../json'
import { agentOf, standingOf, typeOf } from './session-record'
import { SessionTools } from './session-tools'
import { SessionTree, type Unit } from './session-tree'
import { SessionTurns } from './session-turns'
import type {
  Activity,
  Item,
  OtherLine,
  QueuedPrompt,
  ReadTranscript,
  SessionFacts,
  SourceLine,
  ToolCall,
  Turn,
} from './transcript'

/**
 * The transcript of a session, made of its lines, which may come in any order: usually the end first, then older pages
 * and new lines. What it shows depends only on the set of lines. Adding lines at the end or a page in front takes time
 * in proportion to them, a fork one pass over everything known; items are made when they are read.
 *
 * For a source that was truncated or rewritten, begin another transcript.
 */
export class SessionTranscript implements ReadTranscript {
  readonly #isAgent: boolean
  readonly #known = new Map<number, SourceLine>()
  /** The offset of each uuid's line, or of its first one if there are several. */
  readonly #names = new Map<string, number>()
  #tree: SessionTree<ReadLine>
  #turns = new SessionTurns()
  #facts: SessionFactsReader
  #tools = new SessionTools()
  #others = new OffsetList<OtherLine>()
  readonly #agents = new Map<string, SessionTranscript>()
  /** Sub-agents with a source of their own, by the call that started them. */
  readonly #agentOfCall = new Map<string, string>()
  readonly #items = new Map<Unit<ReadLine>, Item>()
  /** The first unit of the thread when it was shown. */
  #first: Unit<ReadLine> | undefined
  /** The tree's `finds` when it was last shown. */
  #finds = 0

  /** `isAgent`: the lines are a sub-agent's own session. */
  constructor({ isAgent = false } = {}) {
    this.#isAgent = isAgent
    this.#tree = new SessionTree(!isAgent)
    this.#facts = new SessionFactsReader({ isAgent })
  }

  /** Adds lines. Known ones change nothing. */
  add(lines: readonly SourceLine[]): void {
    const inOrder = isInOrder(lines) ? lines : [...lines].sort(byOffset)
    if (inOrder.some((line) => this.#isOther(line))) this.#replace(inOrder)
    else this.#show(this.#take(inOrder))
  }

  /** How many items the thread has. */
  get length(): number {
    return this.#tree.thread.length
  }

  /** The item at a place in the thread; the same object as long as nothing about it changes. */
  at(index: number): Item | undefined {
    const unit = this.#tree.thread[index]
    return unit && this.#itemOf(unit)
  }

  /** The id of the item at a place, without making the item. */
  idAt(index: number): string | undefined {
    return this.#tree.thread[index]?.key
  }

  items(): Item[] {
    return this.#tree.thread.map((unit) => this.#itemOf(unit))
  }

  /** The place of an item in the thread; -1 if it is on another way, or unknown. */
  indexOf(id: string): number {
    const { thread } = this.#tree
    const place = this.#tree.unit(id)?.position ?? -1
    return place < thread.length ? place : -1
  }

  /** The item that shows the line with a uuid, on any way; null if none does. */
  itemWith(uuid: string): Item | null {
    const unit = this.#tree.unitWith(uuid)
    return unit && this.#itemOf(unit)
  }

  /** The item with an id, on any way or from a sub-agent; null if there is none. */
  withId(id: string): Item | null {
    const unit = this.#tree.unit(id)
    if (unit) return this.#itemOf(unit)
    for (const agent of this.#agents.values()) {
      const inner = agent.withId(id)
      if (inner) return inner
    }
    return null
  }

  /** Takes the way to an item at every fork above it. */
  choose(id: string): void {
    this.#tree.choose(id)
    this.#show([])
  }

  /** The turn that the item at a place belongs to. */
  turnAt(index: number): Turn | undefined {
    return this.#turns.at(index)
  }

  /** The other lines of the source, in order. */
  get others(): readonly OtherLine[] {
    return this.#others.all
  }

  get facts(): SessionFacts {
    return this.#facts.facts
  }

  get activity(): Activity {
    return this.#facts.activity
  }

  /** The prompts that wait until the agent is ready. */
  get queue(): QueuedPrompt[] {
    return this.#facts.queue
  }

  /** Notes which sub-agent a call has started, in case its lines don't say so (yet). */
  noteAgent(call: string, agent: string): void {
    this.#agentOfCall.set(call, agent)
    // A sub-agent's call may have started it.
    for (const inner of this.#agents.values()) inner.noteAgent(call, agent)
    this.#show(this.#tools.unitsOf(call))
  }

  /** Drops a sub-agent's transcript, since its source has been replaced. */
  forgetAgent(id: string): void {
    this.#agents.delete(id)
  }

  /** A sub-agent's transcript, made if needed; lines of its own source are added to it. */
  agent(id: string): SessionTranscript {
    let agent = this.#agents.get(id)
    if (!agent) {
      agent = new SessionTranscript({ isAgent: true })
      this.#agents.set(id, agent)
      for (const [call, started] of this.#agentOfCall) agent.noteAgent(call, started)
    }
    return agent
  }

  /** What the sub-agent of a call (`ToolCall.agent`) said and did. */
  agentItems(agent: string): Item[] {
    if (!agent.startsWith(rootPrefix)) return this.#agents.get(agent)?.items() ?? []
    const root = agent.slice(rootPrefix.length)
    return this.#agents.get(namelessAgents)?.itemsBelow(root) ?? []
  }

  /** One of the thread's roots and the items that follow from it. */
  itemsBelow(root: string): Item[] {
    const roots = new Map<Unit<ReadLine>, string>()
    const below = this.#tree.thread.filter((unit) => {
      const own = unit.parent ? (roots.get(unit.parent) ?? '') : unit.key
      roots.set(unit, own)
      return own === root
    })
    return below.map((unit) => this.#itemOf(unit))
  }

  /** Whether a line replaces a known one, or precedes a known one with the same uuid. */
  #isOther(line: SourceLine): boolean {
    const known = this.#known.get(line.offset)
    if (known) return known.bytes !== line.bytes || known.flaw !== line.flaw
    const uuid = stringOf(objectOf(line.record)?.['uuid'])
    return uuid !== null && (this.#names.get(uuid) ?? -1) > line.offset
  }

  /** Starts over with all lines, since some have changed. */
  #replace(lines: readonly SourceLine[]): void {
    const all = new Map(this.#known)
    for (const line of lines) all.set(line.offset, line)
    this.#begin()
    this.#show(this.#take([...all.values()].sort(byOffset)))
  }

  #begin(): void {
    const chosen = this.#tree.choices
    this.#known.clear()
    this.#names.clear()
    this.#tree = new SessionTree(!this.#isAgent, chosen)
    this.#turns = new SessionTurns()
    this.#facts = new SessionFactsReader({ isAgent: this.#isAgent })
    this.#tools = new SessionTools()
    this.#others = new OffsetList()
    this.#items.clear()
    this.#finds = -1
  }

  #take(lines: readonly SourceLine[]): Set<Unit<ReadLine>> {
    const come: ReadLine[] = []
    const inner = new Map<string, SourceLine[]>()
    const results: string[] = []
    for (const source of lines) {
      const { offset } = source
      if (this.#known.has(offset)) continue
      const line = readLine(source)
      this.#known.set(offset, source)
      if (!line) {
        this.#others.add(otherOf(source))
        continue
      }
      this.#facts.hear(offset, line.record)
      const agent = this.#isAgent ? null : agentOf(line.record)
      if (agent !== null) {
        const all = inner.get(agent)
        if (all) all.push(source)
        else inner.set(agent, [source])
        continue
      }
      if (line.uuid !== null) {
        if (this.#names.has(line.uuid)) {
          this.#others.add(otherOf(source))
          continue
        }
        this.#names.set(line.uuid, offset)
      }
      this.#turns.hear(line)
      results.push(...this.#tools.hear(line))
      if (line.key === null && standingOf(line.record) !== 'saying') this.#others.add(otherOf(source))
      if (line.uuid !== null || line.key !== null) come.push(line)
    }
    const touched = this.#tree.add(come)
    for (const unit of touched) this.#tools.follow(unit)
    for (const call of results) for (const unit of this.#tools.unitsOf(call)) touched.add(unit)
    for (const [agent, its] of inner) {
      this.agent(agent).add(its)
      for (const unit of this.#tools.starters) touched.add(unit)
    }
    return touched
  }

  /** Drops the items that may have changed, and updates the turns. */
  #show(touched: Iterable<Unit<ReadLine>>): void {
    for (const unit of touched) this.#items.delete(unit)
    const { thread, finds } = this.#tree
    const isAnew = finds !== this.#finds
    if (isAnew) for (const [unit, item] of this.#items) if (!isSameWays(unit, item)) this.#items.delete(unit)
    this.#turns.follow(thread, isAnew ? null : (this.#first?.position ?? 0), touched)
    this.#finds = finds
    this.#first = thread[0]
  }

  #itemOf(unit: Unit<ReadLine>): Item {
    let item = this.#items.get(unit)
    if (!item) this.#items.set(unit, (item = makeItem(unit, this.#knowledge)))
    return item
  }

  readonly #knowledge: ToolKnowledge = {
    result: (call, offset) => this.#tools.result(call, offset),
    progress: (call) => this.#tools.progress(call),
    agent: (call) => this.#agentOf(call),
  }

  #agentOf(call: ToolCall): string | null {
    const named = this.#agentOfCall.get(call.id) ?? this.#tools.agent(call)
    if (named !== null) return named
    if (this.#agents.has(`call:${call.id}`)) return `call:${call.id}`
    const nameless = this.#agents.get(namelessAgents)
    const prompt = stringOf(objectOf(call.input)?.['prompt'])
    if (!nameless || prompt === null) return null
    const root = nameless.rootSaying(prompt)
    return root === null ? null : rootPrefix + root
  }

  /** The root whose prompt is this text; null if there is none. */
  rootSaying(prompt: string): string | null {
    for (const unit of this.#tree.thread) {
      if (unit.parent || !unit.first.isPrompt) continue
      const item = this.#itemOf(unit)
      if (
        item.kind === 'prompt' &&
        item.blocks.some((block) => block.kind === 'text' && block.text === prompt.trim())
      )
        return unit.key
    }
    return null
  }
}

/** Old versions mix the lines of all sub-agents, without names, into one record, where each sub-agent is a root. */
const namelessAgents = ''
const rootPrefix = 'root:'

function byOffset(a: SourceLine, b: SourceLine): number {
  return a.offset - b.offset
}

function isInOrder(lines: readonly SourceLine[]): boolean {
  return lines.every((line, index) => index === 0 || (lines[index - 1]?.offset ?? 0) <= line.offset)
}

function isSameWays(unit: Unit<ReadLine>, { branches }: Item): boolean {
  const { ways } = unit
  if (!ways || !branches) return !ways && !branches
  return ways.length === branches.ids.length && ways.every((way, index) => way.key === branches.ids[index])
}

function otherOf(source: SourceLine): OtherLine {
  const { offset, bytes, record, flaw, head = '' } = source
  const object = objectOf(record)
  const standing = object ? standingOf(object) : 'not-json'
  return {
    offset,
    bytes,
    type: object ? typeOf(object) : '',
    standing: flaw === 'too-long' || flaw === 'not-json' ? flaw : standing === 'saying' ? 'known' : standing,
    record,
    head,
  }
}
