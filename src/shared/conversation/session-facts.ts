import { OffsetList } from '../text/offset-list'
import { type Json, numberOf, objectOf, stringOf } from '../json'
import { activityOf, agentOf, isTaskNotification, timeOf, typeOf, usageOf } from './session-record'
import { addUsage, type Activity, type QueuedPrompt, type SessionFacts, type Usage } from './transcript'

/** The value from the line with the greatest offset, whatever the order in which lines come. */
class Newest<T> {
  #offset = -1
  value: T | null = null

  hear(offset: number, value: T | null): void {
    if (value === null || offset < this.#offset) return
    this.#offset = offset
    this.value = value
  }
}

interface QueueStep {
  offset: number
  operation: string
  text: string
  at: number | null
}

/** Gathers what lines say about their session. Lines may come in any order, each once. */
export class SessionFactsReader {
  readonly #sessionId = new Newest<string>()
  readonly #personsTitle = new Newest<string>()
  readonly #agentsTitle = new Newest<string>()
  readonly #folder = new Newest<string>()
  #firstFolder: { offset: number; folder: string } | null = null
  readonly #branch = new Newest<string>()
  readonly #model = new Newest<string>()
  readonly #version = new Newest<string>()
  readonly #cost = new Newest<number>()
  readonly #usage = new Newest<Usage>()
  readonly #activity = new Newest<Activity>()
  readonly #queue = new OffsetList<QueueStep>()
  #lastAt: number | null = null
  readonly #isAgent: boolean

  /** `isAgent`: the lines are a sub-agent's own session. Otherwise lines of sub-agents are ignored. */
  constructor({ isAgent = false } = {}) {
    this.#isAgent = isAgent
  }

  hear(offset: number, record: Json): void {
    this.#sessionId.hear(offset, stringOf(record['sessionId']) ?? stringOf(record['session_id']))
    const isOwn = this.#isAgent || agentOf(record) === null
    if (isOwn) this.#activity.hear(offset, activityOf(record))
    const at = timeOf(record)
    if (at !== null && at > (this.#lastAt ?? Number.NEGATIVE_INFINITY)) this.#lastAt = at
    this.#version.hear(offset, stringOf(record['version']))
    if (!isOwn) return
    this.#hearPlace(offset, record)
    this.#hearType(offset, record, at)
  }

  get facts(): SessionFacts {
    const person = this.#personsTitle.value
    return {
      sessionId: this.#sessionId.value,
      title: person ?? this.#agentsTitle.value,
      titleBy: person !== null ? 'person' : this.#agentsTitle.value !== null ? 'agent' : null,
      folder: this.#folder.value,
      firstFolder: this.#firstFolder?.folder ?? null,
      branch: this.#branch.value === '' ? null : this.#branch.value,
      model: this.#model.value,
      version: this.#version.value,
      costUSD: this.#cost.value,
      usage: this.#usage.value,
      lastAt: this.#lastAt,
    }
  }

  get activity(): Activity {
    return this.#activity.value ?? 'unknown'
  }

  /** The waiting prompts, the oldest first, without any queued before the first line that was read. */
  get queue(): QueuedPrompt[] {
    let waiting: QueuedPrompt[] = []
    for (const { operation, text, at } of this.#queue.all) {
      if (operation === 'enqueue') waiting.push({ text, at })
      else if (operation === 'dequeue') waiting.shift()
      else if (operation === 'popAll' || operation === 'clear') waiting = []
      else if (operation === 'remove') {
        const place = text === '' ? 0 : waiting.findIndex((prompt) => prompt.text === text)
        if (place >= 0) waiting.splice(place, 1)
      }
    }
    // The agent's messages to itself wait in the same queue.
    return waiting.filter((prompt) => !isTaskNotification(prompt.text))
  }

  #hearPlace(offset: number, record: Json): void {
    const folder = stringOf(record['cwd'])
    if (folder !== null) {
      this.#folder.hear(offset, folder)
      if (!this.#firstFolder || offset < this.#firstFolder.offset) this.#firstFolder = { offset, folder }
    }
    const branch = stringOf(record['gitBranch'])
    // Without git, or with a detached HEAD, it says HEAD or nothing.
    this.#branch.hear(offset, branch === 'HEAD' ? '' : branch)
  }

  #hearType(offset: number, record: Json, at: number | null): void {
    switch (typeOf(record)) {
      case 'assistant': {
        const model = stringOf(objectOf(record['message'])?.['model'])
        if (model !== '<synthetic>') this.#model.hear(offset, model)
        return
      }
      case 'custom-title':
        return this.#personsTitle.hear(offset, stringOf(record['customTitle']))
      case 'ai-title':
        return this.#agentsTitle.hear(offset, stringOf(record['aiTitle']))
      case 'summary':
        return this.#agentsTitle.hear(offset, stringOf(record['summary']))
      case 'cost-state':
        this.#cost.hear(offset, numberOf(record['totalCostUSD']))
        return this.#usage.hear(offset, usageOfModels(record['modelUsage']))
      case 'result':
        return this.#cost.hear(offset, numberOf(record['total_cost_usd']))
      case 'queue-operation': {
        const operation = stringOf(record['operation']) ?? ''
        return this.#queue.add({ offset, operation, text: stringOf(record['content']) ?? '', at })
      }
    }
  }
}

function usageOfModels(value: unknown): Usage | null {
  let sum: Usage | null = null
  for (const usage of Object.values(objectOf(value) ?? {})) sum = addUsage(sum, usageOf(usage))
  return sum
}
