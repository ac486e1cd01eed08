import { usageOfLines, type ReadLine } from '../../../shared/conversation/session-item'
import { type Json, numberOf, objectOf, stringOf } from '../../../shared/json'
import { contentOf, typeOf } from '../../../shared/conversation/session-record'
import { addUsage, subtractUsage, type Usage } from '../../../shared/conversation/transcript'

/** Where something is shown: the line that it begins in. */
export interface ShownPlace {
  uuid: string
  offset: number
}

/** What is known about a session only after reading all of it. */
export interface SessionFigures {
  /**
   * What the person, the model and sub-agents said, in all ways of the conversation; a message of several lines is one.
   */
  messages: number
  /** In dollars; null if nothing says it. */
  costUSD: number | null
  /** The agent has counted the cost itself, including its sub-agents. */
  isCostOfAll: boolean
  /** At how many places the conversation continues in several ways. */
  forks: number
  /** The tokens of all messages; null if none were counted. */
  usage: Usage | null
}

/** A session's figures plus those of one of its sub-agents. The sub-agent's forks don't count. */
export function addFigures(session: SessionFigures, agent: SessionFigures): SessionFigures {
  const { costUSD, isCostOfAll } = session
  const sum = costUSD === null ? agent.costUSD : costUSD + (agent.costUSD ?? 0)
  return {
    messages: session.messages + agent.messages,
    costUSD: isCostOfAll ? costUSD : sum,
    isCostOfAll,
    forks: session.forks,
    usage: addUsage(session.usage, agent.usage),
  }
}

/** What counts as one item of the conversation. */
interface Unit {
  parent: Unit | null
  /** Whether something is said here or further on. */
  hasTalk: boolean
  /** In how many of the units that follow something is said. */
  ways: number
  usage: Usage | null
}

/**
 * Counts a session's messages, tokens, cost and forks, line by line in the order of its file, the way `SessionTree`
 * makes items of lines: lines with the same key are one message, whose last token count holds; a line follows only
 * lines before it.
 */
export class FigureCount {
  /** The unit that a line is shown in or, if it isn't shown, the one that it follows; null at a beginning. */
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

  /** Where the call's tool is shown; null if that is unknown. */
  placeOfCall(call: string): ShownPlace | null {
    return this.#calls.get(call) ?? null
  }

  /** How many lines it remembers. */
  get size(): number {
    return this.#unitOf.size
  }

  /** Whether a line with this id was counted; a second one with the same id is not part of the conversation. */
  knows(uuid: string): boolean {
    return this.#unitOf.has(uuid)
  }

  /** Adds the next line. */
  take(line: ReadLine): void {
    const { uuid, key, offset, record } = line
    const cost = numberOf(record['costUSD'])
    this.#total = totalOf(record) ?? this.#total
    if (cost !== null) this.#own = (this.#own ?? 0) + cost
    const above = line.parent ? (this.#unitOf.get(line.parent) ?? null) : null
    if (key === null) {
      if (uuid !== null) this.#unitOf.set(uuid, above)
      return
    }
    const unit = this.#units.get(key) ?? this.#begin(line, key, above)
    if (uuid !== null) {
      this.#unitOf.set(uuid, unit)
      if (line.shown === 'reply') for (const call of callsOf(record)) this.#calls.set(call, { uuid, offset })
    }
    const counted = usageOfLines([line])
    if (counted === null) return
    const { usage } = unit
    unit.usage = counted
    this.#usage = addUsage(this.#usage, usage === null ? counted : subtractUsage(counted, usage))
  }

  #begin(line: ReadLine, key: string, parent: Unit | null): Unit {
    const unit: Unit = { parent, hasTalk: false, ways: 0, usage: null }
    this.#units.set(key, unit)
    if (!line.isTalk) return unit
    this.#messages++
    // Several first prompts are several ways to begin one conversation.
    if (parent === null && line.isPrompt && line.parent === null && ++this.#beginnings === 2) this.#forks++
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

/** What the session has cost so far, in dollars, if this record says so. */
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

export function callsOf(record: Json): string[] {
  return contentOf(record).flatMap((value) => {
    const part = objectOf(value)
    return part && 'input' in part ? (stringOf(part['id']) ?? []) : []
  })
}
