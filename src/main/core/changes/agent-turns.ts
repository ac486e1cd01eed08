import { readFile } from 'node:fs/promises'
import { type Disposable, DisposableStack, disposable } from '../../../shared/lifetime'
import { fieldsOfLinuxStat } from '../platform/process-tree'
import type { ChangesAgents, PresentAgent } from './ports'

/** An agent is in a turn until so many milliseconds after its last sign of work. */
export const turnTail = 3000
/** How often the processor time of quiet agents is looked at, in milliseconds. */
const sampleEvery = 1000
/** Used so much of a processor since the last look: at work. An agent that waits for its prompt uses less. */
const busyShare = 0.05

/** Processor time that a process and its ended children have used, in milliseconds; null where it cannot be told. */
export type ProcessorTime = (pid: number) => Promise<number | null>

interface Sampled {
  used: number
  at: number
  /** When it was last seen at work. */
  busyAt: number | null
  /** The system does not tell, so it counts as working whenever it is here. */
  isUnknown: boolean
}

/**
 * Who is in a turn: whose terminal has put out something of its own in the last three seconds; where the terminal is
 * not ours, or the agent may work silently, whose process has used the processor; where that cannot be told, whoever
 * is connected. One that has just gone, and may have written as its last act, counts until its tail is over.
 */
export class AgentTurns implements Disposable {
  readonly #agents: ChangesAgents
  readonly #time: ProcessorTime
  readonly #now: () => number
  readonly #samples = new Map<string, Sampled>()
  readonly #lately = new Map<string, { agent: PresentAgent; goneAt: number }>()
  #known = new Map<string, PresentAgent>()
  readonly #owned = new DisposableStack()

  constructor(agents: ChangesAgents, { time = processorTime, now = Date.now } = {}) {
    this.#agents = agents
    this.#time = time
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

  /** Looks at the processor time of agents that may work silently. */
  async sample(): Promise<void> {
    await Promise.all(
      this.#agents.list().map(async (agent) => {
        if (agent.workedAt !== null && !agent.mayBeQuiet) return
        const used = agent.pid === null ? null : await this.#time(agent.pid)
        const now = this.#now()
        const last = this.#samples.get(agent.id)
        const busy = last && used !== null && used - last.used >= Math.max(10, busyShare * (now - last.at))
        this.#samples.set(agent.id, {
          used: used ?? 0,
          at: now,
          busyAt: busy ? now : (last?.busyAt ?? null),
          isUnknown: used === null,
        })
      }),
    )
  }

  dispose(): void {
    this.#owned.dispose()
  }

  #isWorking({ id, workedAt, mayBeQuiet }: PresentAgent, now: number): boolean {
    if (workedAt !== null && now - workedAt <= turnTail) return true
    const sampled = this.#samples.get(id)
    if (workedAt === null && (!sampled || sampled.isUnknown)) return true
    const busyAt = workedAt === null || mayBeQuiet ? sampled?.busyAt : null
    return busyAt !== null && busyAt !== undefined && now - busyAt <= turnTail
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

/** By /proc on Linux, where a tick is a hundredth of a second; elsewhere nothing is told. */
export async function processorTime(pid: number): Promise<number | null> {
  if (process.platform !== 'linux') return null
  try {
    const fields = fieldsOfLinuxStat(await readFile(`/proc/${pid}/stat`, 'utf8'))
    // User, system, and the same of children that were waited for.
    return fields.slice(11, 15).reduce((sum, field) => sum + Number(field), 0) * 10
  } catch {
    return null
  }
}
