import { type Disposable, DisposableStack, disposable } from '../../../shared/lifetime'
import { type ProcessWork, workOfProcess } from '../platform/process-work'
import type { ChangesAgents, PresentAgent } from './changes-ports'

/** An agent is in a turn until so many milliseconds after its last sign of work. */
export const turnTail = 3000
/** Who has been typed into may act upon it at once, before anything is put out: for so many milliseconds. */
const typedTail = 1000
/** How often the processor time of quiet agents is looked at, in milliseconds. */
const sampleEvery = 1000
/** Used so much of a processor since the last look: at work. An agent that waits for its prompt uses less. */
const busyShare = 0.05
/**
 * Looks may follow each other at once, and the system counts in hundredths of a second: less than this is no sign, in
 * milliseconds. In a terminal of ours what a program writes tells more.
 */
const leastTime = { foreign: 10, ours: 50 }

/** What a process has done so far; null where it cannot be told. */
export type WorkOf = (pid: number) => Promise<ProcessWork | null>

interface Sampled {
  work: ProcessWork
  at: number
  /** When it was last seen at work. */
  busyAt: number | null
  /** The system does not tell, so it counts as working whenever it is here. */
  isUnknown: boolean
}

/**
 * Who is in a turn: whose terminal has put out something of its own in the last three seconds, or was typed into in the
 * last one, and whoever was started and has put out nothing yet. Where the terminal is not ours, or the agent may work
 * silently, also whose process has used the processor or, in a terminal of ours, has written anything; where that
 * cannot be told, whoever is connected, or was given a line and has not answered. One that has just gone, and may have
 * written as its last act, counts until its tail is over.
 */
export class AgentTurns implements Disposable {
  readonly #agents: ChangesAgents
  readonly #workOf: WorkOf
  readonly #now: () => number
  readonly #samples = new Map<string, Sampled>()
  readonly #lately = new Map<string, { agent: PresentAgent; goneAt: number }>()
  #known = new Map<string, PresentAgent>()
  readonly #owned = new DisposableStack()
  #sampling: Promise<void> | null = null

  constructor(agents: ChangesAgents, { workOf = workOfProcess as WorkOf, now = Date.now } = {}) {
    this.#agents = agents
    this.#workOf = workOf
    this.#now = now
    this.#owned.add(agents.onChange(() => this.#follow()))
    const timer = setInterval(() => void this.sample(), sampleEvery)
    timer.unref()
    this.#owned.add(disposable(() => clearInterval(timer)))
    this.#follow()
  }

  /** Those in a turn now. */
  inTurn(): PresentAgent[] {
    const now = this.#now()
    const here = this.#agents.list().filter((agent) => this.#isWorking(agent, now))
    for (const [id, { agent, goneAt }] of this.#lately) {
      if (now - goneAt > turnTail) this.#lately.delete(id)
      else if (!here.some((other) => other.id === id)) here.push(agent)
    }
    return here
  }

  /** Those in a turn now who may have worked without putting out anything; they are looked at for that. */
  async silentlyInTurn(): Promise<PresentAgent[]> {
    await this.sample()
    return this.inTurn().filter(mayBeSilent)
  }

  /** Looks at what the processes of agents that may work silently have done. */
  sample(): Promise<void> {
    this.#sampling ??= this.#sample().finally(() => (this.#sampling = null))
    return this.#sampling
  }

  async #sample(): Promise<void> {
    // One process may have several connections.
    const looks = new Map<number, Promise<ProcessWork | null>>()
    const lookAt = (pid: number): Promise<ProcessWork | null> => {
      const look = looks.get(pid) ?? this.#workOf(pid)
      looks.set(pid, look)
      return look
    }
    await Promise.all(
      this.#agents.list().map(async (agent) => {
        if (!mayBeSilent(agent)) return
        const work = agent.pid === null ? null : await lookAt(agent.pid)
        const now = this.#now()
        const last = this.#samples.get(agent.id)
        const isBusy = last !== undefined && work !== null && hasWorked(agent, last, work, now)
        this.#samples.set(agent.id, {
          work: work ?? { processor: 0, written: 0 },
          at: now,
          busyAt: isBusy ? now : (last?.busyAt ?? null),
          isUnknown: work === null,
        })
      }),
    )
  }

  dispose(): void {
    this.#owned.dispose()
  }

  #isWorking(agent: PresentAgent, now: number): boolean {
    const { id, workedAt, typedAt, silentSince } = agent
    if (silentSince === 'start') return true
    if (workedAt !== null && now - workedAt <= turnTail) return true
    if (typedAt !== undefined && now - typedAt <= typedTail) return true
    if (!mayBeSilent(agent)) return false
    const sampled = this.#samples.get(id)
    // Whether it works cannot be told, or not yet.
    if (!sampled || sampled.isUnknown) return workedAt === null || silentSince === 'line'
    return sampled.busyAt !== null && now - sampled.busyAt <= turnTail
  }

  #follow(): void {
    const here = new Map(this.#agents.list().map((agent) => [agent.id, agent]))
    // Whose terminal was found meanwhile has not gone: it must not count as a second one.
    const found = new Set([...here.values()].map(({ connection }) => connection))
    for (const [id, agent] of this.#known) {
      if (here.has(id)) continue
      if (!found.has(id)) this.#lately.set(id, { agent, goneAt: this.#now() })
      this.#samples.delete(id)
    }
    this.#known = here
  }
}

function mayBeSilent({ workedAt, mayBeQuiet }: PresentAgent): boolean {
  return workedAt === null || mayBeQuiet
}

/** An agent in a foreign terminal draws there what is typed, and may note something now and then: that is no sign. */
function hasWorked({ workedAt }: PresentAgent, last: Sampled, work: ProcessWork, now: number): boolean {
  if (workedAt !== null && work.written > last.work.written) return true
  const least = workedAt === null ? leastTime.foreign : leastTime.ours
  return work.processor - last.work.processor >= Math.max(least, busyShare * (now - last.at))
}
