import { type Disposable, DisposableStack, disposable } from '../../../shared/lifetime'
import { type ProcessWork, workOfProcess } from '../platform/process-work'
import type { ChangesAgents, PresentAgent } from './changes-ports'

/** In milliseconds: how long a turn lasts after the agent's last sign of work. */
export const turnTail = 3000
/** In milliseconds: an agent may act on typed input before it puts out anything. */
const typedTail = 1000
/** How often the processor time of quiet agents is sampled, in milliseconds. */
const sampleEvery = 1000
/** This share of a processor since the last sample means at work; an agent waiting for its prompt uses less. */
const busyShare = 0.05
/**
 * In milliseconds: less processor time than this is no sign of work, because samples may come in quick succession and
 * the system counts in hundredths of a second. In our own terminals, output tells more.
 */
const leastTime = { foreign: 10, ours: 50 }

/** What a process has done so far; null if the system doesn't tell. */
export type WorkOf = (pid: number) => Promise<ProcessWork | null>

interface Sampled {
  work: ProcessWork
  at: number
  /** When it was last seen at work. */
  busyAt: number | null
  /** The system doesn't tell, so the agent counts as working while it is here. */
  isUnknown: boolean
}

/**
 * Which agents are in a turn: those that worked in the last three seconds by their own word, or whose terminal put out
 * something of its own in that time or was typed into in the last second, and those that were started and haven't put out
 * anything yet. If an agent says nothing and its terminal isn't ours, or it may work silently, also those whose process
 * used the processor or, in our terminals, wrote anything; if that can't be told, those that are connected, or got a
 * line and haven't answered. An agent that has just gone may have written as its last act, so it counts until its tail is
 * over.
 */
export class AgentTurns implements Disposable {
  readonly #agents: ChangesAgents
  readonly #workOf: WorkOf
  readonly #now: () => number
  /** From the last look; agents that have gone are dropped at the next. */
  #samples: ReadonlyMap<string, Sampled> = new Map()
  readonly #lately = new Map<string, { agent: PresentAgent; goneAt: number }>()
  #known = new Map<string, PresentAgent>()
  readonly #owned = new DisposableStack()
  #sampling: Promise<void> | null = null
  /** Runs while anything is known of an agent. */
  #timer: NodeJS.Timeout | undefined

  constructor(agents: ChangesAgents, { workOf = workOfProcess as WorkOf, now = Date.now } = {}) {
    this.#agents = agents
    this.#workOf = workOf
    this.#now = now
    this.#owned.add(agents.onChange(() => this.#follow()))
    this.#owned.add(disposable(() => clearInterval(this.#timer)))
    this.#follow()
  }

  inTurn(): PresentAgent[] {
    const now = this.#now()
    const here = this.#agents.list().filter((agent) => this.#isWorking(agent, now))
    this.#forgetGone(now)
    for (const [id, { agent }] of this.#lately) {
      if (!here.some((other) => other.id === id)) here.push(agent)
    }
    return here
  }

  /** How many agents are known: those that are here, and those that have just gone. */
  get known(): number {
    return new Set([...this.#known.keys(), ...this.#lately.keys(), ...this.#samples.keys()]).size
  }

  /** Takes a sample, and returns those in a turn that may have worked without putting out anything. */
  async silentlyInTurn(): Promise<PresentAgent[]> {
    await this.sample()
    return this.inTurn().filter(mayBeSilent)
  }

  /** Looks at what the processes of possibly silent agents have done. */
  sample(): Promise<void> {
    this.#sampling ??= this.#sample().finally(() => (this.#sampling = null))
    return this.#sampling
  }

  async #sample(): Promise<void> {
    // Nobody may ask who is in a turn for days, while clients come and go.
    this.#forgetGone(this.#now())
    const samples = new Map<string, Sampled>()
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
        samples.set(agent.id, {
          work: work ?? { processor: 0, written: 0 },
          at: now,
          busyAt: isBusy ? now : (last?.busyAt ?? null),
          isUnknown: work === null,
        })
      }),
    )
    this.#samples = samples
  }

  #forgetGone(now: number): void {
    for (const [id, { goneAt }] of this.#lately) if (now - goneAt > turnTail) this.#lately.delete(id)
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
    // Unknown, or not known yet.
    if (!sampled || sampled.isUnknown) return workedAt === null || silentSince === 'line'
    return sampled.busyAt !== null && now - sampled.busyAt <= turnTail
  }

  #follow(): void {
    const here = new Map(this.#agents.list().map((agent) => [agent.id, agent]))
    // If its terminal was found meanwhile, a connection hasn't gone: it must not count as a second agent.
    const found = new Set([...here.values()].map(({ connection }) => connection))
    for (const [id, agent] of this.#known) {
      if (here.has(id)) continue
      if (!found.has(id)) this.#lately.set(id, { agent, goneAt: this.#now() })
    }
    this.#known = here
    if (here.size > 0) this.#timer ??= setInterval(() => void this.#sampleWhileKnown(), sampleEvery).unref()
  }

  async #sampleWhileKnown(): Promise<void> {
    await this.sample()
    if (this.known > 0) return
    clearInterval(this.#timer)
    this.#timer = undefined
  }
}

function mayBeSilent({ workedAt, mayBeQuiet }: PresentAgent): boolean {
  return workedAt === null || mayBeQuiet
}

/** In a foreign terminal an agent draws what is typed and writes notes now and then, so output isn't a sign of work. */
function hasWorked({ workedAt }: PresentAgent, last: Sampled, work: ProcessWork, now: number): boolean {
  if (workedAt !== null && work.written > last.work.written) return true
  const least = workedAt === null ? leastTime.foreign : leastTime.ours
  return work.processor - last.work.processor >= Math.max(least, busyShare * (now - last.at))
}
