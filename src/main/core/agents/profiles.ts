import type { TerminalProfile } from '../../../shared/contract/terminals'
import { type Disposable, Emitter } from '../../../shared/lifetime'
import { type Result, fail, succeed } from '../../../shared/result'
import { RepeatedLook } from '../files/repeated-look'
import type { Environment } from '../platform/environment'
import { findProgram } from '../platform/programs'
import { chooseShell, shellOfUser } from '../platform/shells'
import {
  type AgentDescription,
  type StartableAgent,
  type StartSettings,
  installOf,
  isStartable,
} from './agent'
import { AgentSearch } from './agent-search'

/** What profiles need of the rest of the app. */
export interface ProfilesSurroundings {
  settings(): StartSettings
  /** The environment for the person's programs, with the PATH to search. */
  environment(): Promise<Environment>
}

/** A profile with everything resolved: what a terminal starts. */
export interface ProfileLaunch {
  title: string
  program: string
  args: readonly string[]
}

/**
 * What the New terminal menu offers: the shell, the agents, and the person's own programs. The list is there
 * immediately; which of them are installed is found out in the background and told by `onChange`.
 */
export class Profiles implements Disposable {
  readonly #agents: readonly StartableAgent[]
  readonly #surroundings: ProfilesSurroundings
  readonly #search: AgentSearch
  readonly #changed = new Emitter<TerminalProfile[]>()
  #list: TerminalProfile[]
  readonly #looks = new RepeatedLook(() => this.#look())

  constructor(
    agents: readonly AgentDescription[],
    surroundings: ProfilesSurroundings,
    search: AgentSearch = new AgentSearch(),
  ) {
    this.#agents = agents.filter(isStartable)
    this.#surroundings = surroundings
    this.#search = search
    const { terminalProfiles } = surroundings.settings()
    this.#list = [
      profile('shell', 'Shell', 'shell'),
      ...this.#agents.map((agent) => profile(agent.id, agent.title, 'agent')),
      ...terminalProfiles.map((own) => profile(own.id, own.title, 'own')),
    ]
  }

  /** The list has changed. */
  readonly onChange = this.#changed.on

  snapshot(): TerminalProfile[] {
    return this.#list
  }

  /** Checks again what is installed: at the start, when settings changed, and before the person installs something. */
  refresh(): Promise<void> {
    return this.#looks.settled()
  }

  /**
   * What a profile starts, with a window's settings. Looks again, so that a program installed just now is found. Fails
   * as `missing` or `unknown`.
   */
  async launch(id: string, settings = this.#surroundings.settings()): Promise<Result<ProfileLaunch>> {
    const env = await this.#surroundings.environment()
    if (id === 'shell') return succeed({ title: 'Shell', ...this.#shell(settings, env) })
    const agent = this.#agents.find((candidate) => candidate.id === id)
    if (agent) {
      const found = await this.#search.find(agent, env)
      void this.refresh()
      if (!found) return fail('missing', installOf(agent).sentence)
      return succeed({
        title: agent.title,
        program: found.program,
        args: agent.start.argsFor(found, settings),
      })
    }
    const own = settings.terminalProfiles.find((candidate) => candidate.id === id)
    if (!own) return fail('unknown', 'This profile is no longer in the settings. Choose another one.')
    const program = findProgram(own.command, { platform: process.platform, env })
    if (program === null) return fail('missing', missingOwn(own.title, own.command))
    return succeed({ title: own.title, program, args: own.args })
  }

  dispose(): void {
    this.#looks.dispose()
    this.#changed.dispose()
  }

  async #look(): Promise<void> {
    const settings = this.#surroundings.settings()
    const env = await this.#surroundings.environment()
    const agents = await Promise.all(
      this.#agents.map(async (agent) => {
        const found = await this.#search.find(agent, env)
        return {
          ...profile(agent.id, agent.title, 'agent'),
          program: found?.program ?? null,
          version: found?.version ?? null,
          install: found ? null : installOf(agent),
        }
      }),
    )
    const own = settings.terminalProfiles.map((item) => {
      const program = findProgram(item.command, { platform: process.platform, env })
      const install = { sentence: missingOwn(item.title, item.command), command: item.command }
      return { ...profile(item.id, item.title, 'own'), program, install: program === null ? install : null }
    })
    const shell = { ...profile('shell', 'Shell', 'shell'), program: this.#shell(settings, env).program }
    this.#tell([shell, ...agents, ...own])
  }

  #tell(list: TerminalProfile[]): void {
    if (JSON.stringify(list) === JSON.stringify(this.#list)) return
    this.#list = list
    this.#changed.emit(list)
  }

  #shell(settings: StartSettings, env: Environment): { program: string; args: readonly string[] } {
    const { platform } = process
    const find = (program: string) => findProgram(program, { platform, env })
    const shell = chooseShell({
      setting: settings.terminalShell,
      platform,
      env,
      userShell: shellOfUser(),
      exists: (program) => find(program) !== null,
    })
    return { ...shell, program: find(shell.program) ?? shell.program }
  }
}

function missingOwn(title: string, command: string): string {
  return `${title} can’t be started: ${command} wasn’t found. Install it, or change the profile in the settings.`
}

/** A profile about which nothing is known yet. */
function profile(id: string, title: string, kind: TerminalProfile['kind']): TerminalProfile {
  return { id, title, kind, program: null, version: null, install: null }
}
