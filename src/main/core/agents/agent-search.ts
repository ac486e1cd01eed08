import { realpath, stat } from 'node:fs/promises'
import { outputOf } from '../platform/child-process'
import type { Environment } from '../platform/environment'
import { findProgram, startable } from '../platform/programs'
import { type AgentDescription, type FoundAgent, versionIn } from './agent'

/** A program that has not answered by then is used without an answer; some are slow on their first start. */
const answerMs = 15_000

/**
 * Finds an agent's program and asks it about itself. Answers are kept until the file changes. A program that doesn't
 * answer counts as found; it may only be unable to tell its version.
 */
export class AgentSearch {
  readonly #answers = new Map<string, Promise<{ version: string | null; help: string }>>()
  readonly #platform: NodeJS.Platform

  constructor(platform: NodeJS.Platform = process.platform) {
    this.#platform = platform
  }

  /** The agent on this machine, or null if it is not installed. */
  async find(agent: AgentDescription, env: Environment): Promise<FoundAgent | null> {
    const program = findProgram(agent.command, { platform: this.#platform, env })
    if (program === null) return null
    const key = `${agent.id} ${await identityOf(program)}`
    let answer = this.#answers.get(key)
    if (!answer) {
      answer = this.#ask(agent, program, env)
      this.#answers.set(key, answer)
    }
    return { program, ...(await answer) }
  }

  async #ask({ start }: AgentDescription, program: string, env: Environment) {
    const [version, help] = await Promise.all([
      this.#outputOf(program, ['--version'], env),
      start?.helpArgs ? this.#outputOf(program, start.helpArgs, env) : '',
    ])
    return { version: versionIn(version), help }
  }

  async #outputOf(program: string, args: readonly string[], env: Environment): Promise<string> {
    const start = startable(program, args, { platform: this.#platform, env })
    const options = { env, timeout: answerMs, killSignal: 'SIGKILL', maxBuffer: 1 << 20 } as const
    return (await outputOf(start.program, start.args, options)).output
  }
}

/** Differs when another version is installed at the same path. */
async function identityOf(program: string): Promise<string> {
  try {
    const real = await realpath(program)
    const { mtimeMs, size, ino } = await stat(real)
    return `${real} ${mtimeMs} ${size} ${ino}`
  } catch {
    return program
  }
}
