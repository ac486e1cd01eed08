import { firstIndex } from '../first-index'
import { OffsetList } from '../text/offset-list'
import { usageOfLines, type ReadLine } from './session-item'
import { numberOf } from '../json'
import { typeOf } from './session-record'
import type { Unit } from './session-tree'
import { addUsage, subtractUsage, type Turn, type Usage } from './transcript'

type SessionUnit = Unit<ReadLine>

interface TurnSpan {
  /** The place of its first unit in the thread. */
  start: number
  usage: Usage | null
}

interface Measured {
  offset: number
  value: number
}

/** What a process has cost so far, in dollars; a new process may start at zero. */
interface CostState extends Measured {
  process: number | null
}

/** The turns of a thread: where they begin, how long they took, and what they cost. */
export class SessionTurns {
  #thread: readonly SessionUnit[] = []
  #counted = 0
  #spans: TurnSpan[] = []
  readonly #usages = new Map<SessionUnit, Usage | null>()
  /** Some messages say what they cost, as in old versions. */
  #hasOwnCosts = false
  /** On all ways of the conversation, because measurements come after the turn they belong to. */
  readonly #prompts = new OffsetList<ReadLine>()
  readonly #durations = new OffsetList<Measured>()
  readonly #costs = new OffsetList<CostState>()

  /** Takes every line once. */
  hear(line: ReadLine): void {
    const { record, offset } = line
    if (line.isPrompt) this.#prompts.add(line)
    if (numberOf(record['costUSD']) !== null) this.#hasOwnCosts = true
    if (record['subtype'] === 'turn_duration') {
      const value = numberOf(record['durationMs'])
      if (value !== null) this.#durations.add({ offset, value })
    }
    if (typeOf(record) === 'cost-state') {
      const value = numberOf(record['totalCostUSD'])
      if (value !== null) this.#costs.add({ offset, value, process: numberOf(record['startTime']) })
    }
  }

  /**
   * Updates the turns for the thread. `front`: how many units were added before all others; some may also have been
   * added at the end. Null: the thread is another one. `touched` are units with new lines.
   */
  follow(thread: readonly SessionUnit[], front: number | null, touched: Iterable<SessionUnit>): void {
    this.#thread = thread
    if (front === null) {
      this.#counted = 0
      this.#spans = []
      this.#usages.clear()
    } else {
      if (front > 0) this.#putInFront(front)
      for (const unit of touched) this.#recount(unit)
    }
    for (; this.#counted < thread.length; this.#counted++) {
      const unit = thread[this.#counted]
      if (!unit) break
      this.#append(unit, this.#counted, this.#spans)
    }
  }

  #append(unit: SessionUnit, place: number, spans: TurnSpan[]): void {
    let span = spans.at(-1)
    if (unit.first.isPrompt || !span) spans.push((span = { start: place, usage: null }))
    const usage = usageOfLines(unit.lines)
    this.#usages.set(unit, usage)
    span.usage = addUsage(span.usage, usage)
  }

  #putInFront(count: number): void {
    const spans: TurnSpan[] = []
    for (let place = 0; place < count; place++) {
      const unit = this.#thread[place]
      if (unit) this.#append(unit, place, spans)
    }
    const [first, ...others] = this.#spans
    const last = spans.at(-1)
    // The former beginning continues the turn before it, unless a prompt begins it.
    if (first && last && !this.#thread[count]?.first.isPrompt) last.usage = addUsage(last.usage, first.usage)
    else if (first) spans.push({ ...first, start: count })
    for (const span of others) spans.push({ ...span, start: span.start + count })
    this.#spans = spans
    this.#counted += count
  }

  /** The turn of the item at a place; undefined if there is no such item. */
  at(index: number): Turn | undefined {
    const thread = this.#thread
    const place = this.#placeOf(index)
    const span = this.#spans[place]
    const first = span && thread[span.start]
    if (!span || !first || index >= thread.length) return undefined
    const end = this.#spans[place + 1]?.start ?? thread.length
    const last = thread[end - 1]?.lines.at(-1)
    const from = first.first.offset
    const next = this.#prompts.firstFrom(from + 1)?.offset ?? Number.POSITIVE_INFINITY
    const measured = this.#durations.firstFrom(from)
    return {
      id: first.key,
      startedAt: first.first.at,
      endedAt: last?.at ?? null,
      duration: measured && measured.offset < next ? measured.value : null,
      usage: span.usage,
      costUSD: this.#ownCosts(span.start, end) ?? this.#costBetween(from, next),
      length: end - span.start,
    }
  }

  #placeOf(index: number): number {
    return firstIndex(this.#spans.length, (at) => (this.#spans[at]?.start ?? 0) > index) - 1
  }

  #recount(unit: SessionUnit): void {
    if (!this.#usages.has(unit)) return
    const span = this.#spans[this.#placeOf(unit.position)]
    if (!span) return
    const before = this.#usages.get(unit) ?? null
    const usage = usageOfLines(unit.lines)
    this.#usages.set(unit, usage)
    span.usage = addUsage(before && span.usage ? subtractUsage(span.usage, before) : span.usage, usage)
  }

  /** The sum of what the messages say they cost; null if none does. */
  #ownCosts(from: number, to: number): number | null {
    if (!this.#hasOwnCosts) return null
    let sum: number | null = null
    for (let place = from; place < to; place++) {
      for (const { record } of this.#thread[place]?.lines ?? []) {
        const cost = numberOf(record['costUSD'])
        if (cost !== null) sum = (sum ?? 0) + cost
      }
    }
    return sum
  }

  /**
   * The growth of the agent's own count. It is written when a process ends, and sometimes in between, so it gives a
   * turn's cost only if it was also written in the turn before.
   */
  #costBetween(from: number, to: number): number | null {
    const last = this.#costs.lastBefore(to)
    const before = this.#costs.lastBefore(from)
    const turnBefore = this.#prompts.lastBefore(from)
    if (!last || !before || !turnBefore || last.offset < from || before.offset < turnBefore.offset)
      return null
    return before.process === last.process ? last.value - before.value : null
  }
}
