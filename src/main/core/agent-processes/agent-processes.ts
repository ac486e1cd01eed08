import type { Disposable } from '../../../shared/lifetime'
import { type Result, succeed } from '../../../shared/result'
import { AgentProcess, type ProcessListener } from './agent-process'
import { readProcessOptions, type WantedProcess } from './process-options'

/** The owner of all agent processes. */
export class AgentProcesses implements Disposable {
  readonly #processes = new Set<AgentProcess>()
  #isDisposed = false

  /** Creates a process without starting it. Fails if its options are invalid. */
  create(wanted: WantedProcess, listener: ProcessListener): Result<AgentProcess> {
    const options = readProcessOptions(wanted)
    if (!options.ok) return options
    const made = new AgentProcess(options.value, listener)
    if (this.#isDisposed) made.dispose()
    else this.#processes.add(made)
    return succeed(made)
  }

  /** Ends a process for good. Resolves when nothing is left of it. */
  async remove(one: AgentProcess): Promise<void> {
    one.dispose()
    await one.stop()
    this.#processes.delete(one)
  }

  /** Ends all of them, giving them `graceMs` to end by themselves. Resolves when nothing is left. */
  async end(graceMs: number): Promise<void> {
    this.#isDisposed = true
    await Promise.all(
      [...this.#processes].map(async (one) => {
        const ended = one.stop(graceMs)
        one.dispose()
        await ended
      }),
    )
  }

  dispose(): void {
    if (this.#isDisposed) return
    this.#isDisposed = true
    for (const one of this.#processes) one.dispose()
  }
}
