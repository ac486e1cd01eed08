import { stat } from 'node:fs/promises'
import type { Check } from '../../../shared/contract/connections'
import { type Done, fail } from '../../../shared/result'
import type { Profiles } from '../../core/agents/profiles'
import type { Connections } from '../../core/connections/connections'
import {
  type CliFacts,
  type DiscoveryFileFacts,
  type ServerFacts,
  checkServer,
} from '../../core/connections/server-checks'
import { readText } from '../../core/files/regular-file'
import type { CommandLine } from '../../core/platform/command-lines'
import { runsInContainer } from '../../core/platform/container'
import { familyOf } from '../../core/platform/process-tree'
import type { Terminals } from '../../core/terminal/terminals'
import type { WindowFolders } from '../window-folders'
import { type Leader, connectCommandOf, findAgents, leadersOf } from './command-line-facts'
import type { AgentServer, DialectFacts, OwnChecks } from './dialect'

interface CheckedRooms {
  folders: WindowFolders
  connections: Connections
  terminals: Terminals
  profiles: Profiles
  home: string
}

/** A dialect and its server in this window. */
interface Checked {
  facts: DialectFacts & { scope: 'window' | 'app' }
  server: AgentServer
  /** What the dialect itself finds and mends, beside what is checked of every server. */
  own?: OwnChecks | undefined
}

/** Checks every server of a window, is it found and why are command lines not connected, and mends what it can. */
export class ConnectionChecks {
  readonly #rooms: CheckedRooms
  readonly #checked: readonly Checked[]

  constructor(rooms: CheckedRooms, checked: readonly Checked[]) {
    this.#rooms = rooms
    this.#checked = checked
  }

  async check(): Promise<{ dialect: string; checks: Check[] }[]> {
    const running = await findAgents()
    return Promise.all(
      this.#checked.map(async (one) => ({
        dialect: one.facts.id,
        checks: [...checkServer(await this.#factsOf(one, running)), ...((await one.own?.find()) ?? [])],
      })),
    )
  }

  /** Does what a check has offered, by its id. The person has been told what it will do. */
  async mend(id: string): Promise<Done> {
    const [what = '', dialect = '', terminal = ''] = id.split(' ')
    const found = this.#checked.find(({ facts }) => facts.id === dialect)
    if (found === undefined) return outOfDate
    const { facts, server } = found
    switch (what) {
      case 'client-switch':
        return facts.clientSwitch?.enable(this.#rooms.home) ?? outOfDate
      case 'switch-on':
        return server.switch(true)
      case 'rewrite-files':
        return server.rewriteFiles()
      case 'type-connect':
        if (facts.connectCommand === null) return outOfDate
        return this.#rooms.terminals.typeInto(terminal, facts.connectCommand)
      default:
        return found.own?.mend(what) ?? outOfDate
    }
  }

  async #factsOf({ facts, server }: Checked, running: readonly CommandLine[]): Promise<ServerFacts> {
    const { folders, connections, profiles, home } = this.#rooms
    const { agents, portVariable, anywhereByVariable, containerVariable } = facts
    const { on, problem, port, started, files, tokens } = server.checked()
    const clientSwitch = (await facts.clientSwitch?.read(home)) ?? null
    const installed = profiles.snapshot()
    const clis = leadersOf(running).filter(({ agent }) => facts.known.includes(agent))
    return {
      dialect: facts.id,
      isOwn: facts.scope === 'window',
      fileNoun: facts.about.file.toLowerCase(),
      ...{ agents, portVariable, anywhereByVariable, containerVariable },
      on,
      problem,
      port,
      started,
      now: Date.now(),
      folders: folders.paths,
      files: await Promise.all(files.map((path) => lookAt(path, tokens))),
      refusals: connections.refusals(facts.id),
      clis: await Promise.all(clis.map((cli) => this.#cliFacts(cli, running))),
      versions: facts.known.map((agent) => ({
        agent: agent.title,
        version: installed.find(({ id }) => id === agent.id)?.version ?? null,
        needs: agent.connectsSince,
      })),
      clientSwitch,
      connectCommand: connectCommandOf(facts.connectCommand, clientSwitch),
      isContainer: runsInContainer(),
    }
  }

  async #cliFacts(cli: Leader, running: readonly CommandLine[]): Promise<CliFacts> {
    const { terminals, connections } = this.#rooms
    const { pid, agent, cwd, started, variables } = cli
    const family = new Set(familyOf(pid, running).map((one) => one.pid))
    const id = await terminals.terminalOfPid(pid)
    const title = terminals.snapshot().find((terminal) => terminal.id === id)?.title
    return {
      pid,
      agent: agent.title,
      isConnected: connections.list().some((one) => one.pid !== null && family.has(one.pid)),
      terminal: id !== null && title !== undefined ? { id, title } : null,
      cwd,
      started,
      variables,
    }
  }
}

const outOfDate = fail('unknown', 'This check is out of date. Check again.')

async function lookAt(path: string, tokens: readonly string[]): Promise<DiscoveryFileFacts> {
  try {
    const [text, found] = await Promise.all([readText(path), stat(path)])
    if (!tokens.some((token) => text.includes(token))) return { path, state: 'wrong' }
    const isOpen = process.platform !== 'win32' && (found.mode & 0o077) !== 0
    return { path, state: isOpen ? 'open-to-others' : 'fine' }
  } catch {
    return { path, state: 'missing' }
  }
}
