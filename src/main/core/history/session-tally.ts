import { usageOfLines, type ReadLine } from '../../../shared/conversation/session-item'
import { type Json, numberOf, objectOf, stringOf } from '../../../shared/json'
import { contentOf, typeOf } from '../../../shared/conversation/session-record'
import { addUsage, subtractUsage, type Usage } from '../../../shared/conversation/transcript'
import type { SessionFigures } from './session-entry'

/** Where something is shown: the line that it begins in. */
export interface ShownPlace {
  uuid: string
  offset: number
}

/** What a line adds to the figures of its session. */
interface TallyStep {
  offset: number
  uuid: string | null
  /** As `parentOf` gives it; the line before this one where it is absent. */
  parent?: string | null | undefined
  /** Of what it is shown in; null for a line that is passed through. */
  key: string | null
  isTalk: boolean
  isPrompt: boolean
  usage: Usage | null
  /** In dollars: its own cost, and that of the whole session until here. */
  cost: number | null
  total: number | null
  /** The tools that it uses. */
  calls: readonly string[]
}

/** What is counted as one item of the conversation. */
interface Unit {
  parent: Unit | null
  /** Something is said here or further on. */
  hasTalk: boolean
  /** How many of those that follow have something said in them. */
  ways: number
  usage: Usage | null
}

/**
 * Counts a session's messages, tokens, cost and forks, line by line in the order of its file, in the way in which
 * `SessionTree` makes items of the lines: what has the same key is one message, and its last count of tokens holds;
 * a line follows only what stands before it.
 */
export class SessionTally {
  /** The unit that a line is shown in, or where it is passed through, the one that it follows; null at a beginning. */
  readonly #unitOf = new Map<string, Unit | null>()
  readonly #units = new Map<string, Unit>()
  readonly #calls = new Map<string, ShownPlace>()
  #beginnings = 0
  #messages = 0
  #forks = 0
  #usage: Usage | null = null
  #total: number | null = null
  #own: number | null = null

  get figures(): SessionFigures {
    return {
      messages: this.#messages,
      costUSD: this.#total ?? this.#own,
      isCostOfAll: this.#total !== null,
      forks: this.#forks,
      usage: this.#usage,
    }
  }

  /** Where the tool of a call is shown; null where it is not known. */
  placeOfCall(call: string): ShownPlace | null {
    return this.#calls.get(call) ?? null
  }

  /** How many lines it remembers. */
  get size(): number {
    return this.#unitOf.size
  }

  /** Whether a line with this name was counted: another one of the same name is not the conversation's. */
  knows(uuid: string): boolean {
    return this.#unitOf.has(uuid)
  }

  take(step: TallyStep): void {
    const { uuid, key, cost, total } = step
    if (total !== null) this.#total = total
    if (cost !== null) this.#own = (this.#own ?? 0) + cost
    const above = step.parent ? (this.#unitOf.get(step.parent) ?? null) : null
    if (key === null) {
      if (uuid !== null) this.#unitOf.set(uuid, above)
      return
    }
    const unit = this.#units.get(key) ?? this.#begin(step, key, above)
    if (uuid !== null) {
      this.#unitOf.set(uuid, unit)
      for (const call of step.calls) this.#calls.set(call, { uuid, offset: step.offset })
    }
    if (step.usage === null) return
    const { usage } = unit
    unit.usage = step.usage
    this.#usage = addUsage(this.#usage, usage === null ? step.usage : subtractUsage(step.usage, usage))
  }

  #begin(step: TallyStep, key: string, parent: Unit | null): Unit {
    const unit: Unit = { parent, hasTalk: false, ways: 0, usage: null }
    this.#units.set(key, unit)
    if (!step.isTalk) return unit
    this.#messages++
    // Several first words of the person are ways to begin one conversation.
    if (parent === null && step.isPrompt && step.parent === null && ++this.#beginnings === 2) this.#forks++
    let below = unit
    below.hasTalk = true
    for (let above = below.parent; above; above = below.parent) {
      if (++above.ways === 2) this.#forks++
      if (above.hasTalk) break
      above.hasTalk = true
      below = above
    }
    return unit
  }
}

/** What a line adds; null where it adds nothing. */
export function stepOf(line: ReadLine): TallyStep | null {
  const { offset, uuid, parent, key, isTalk, isPrompt, record } = line
  const total = totalOf(record)
  if (uuid === null && key === null && total === null) return null
  return {
    ...{ offset, uuid, parent, key, isTalk, isPrompt, total },
    usage: usageOfLines([line]),
    cost: numberOf(record['costUSD']),
    calls: line.shown === 'reply' ? callsOf(record) : [],
  }
}

function totalOf(record: Json): number | null {
  switch (typeOf(record)) {
    case 'cost-state':
      return numberOf(record['totalCostUSD'])
    case 'result':
      return numberOf(record['total_cost_usd'])
    default:
      return null
  }
}

/** The tools that a reply uses. */
export function callsOf(record: Json): string[] {
  return contentOf(record).flatMap((value) => {
    const part = objectOf(value)
    return part && 'input' in part ? (stringOf(part['id']) ?? []) : []
  })
}
