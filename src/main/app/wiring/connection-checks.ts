import { stat } from 'node:fs/promises'
import type { Check, ServerState } from '../../../shared/contract/connections'
import { type Done, fail, succeed } from '../../../shared/result'
import { enableGeminiIde } from '../../core/agents/gemini-settings'
import { agentOfCommandLine, knownAgents } from '../../core/agents/running-agents'
import {
  type CliFacts,
  type DiscoveryFileFacts,
  type ServerFacts,
  checkServer,
} from '../../core/connections/server-checks'
import { readText } from '../../core/files/regular-file'
import { type CommandLine, findCommandLines } from '../../core/platform/command-lines'
import { runsInContainer } from '../../core/platform/container'
import { familyOf } from '../../core/platform/process-tree'
import { connectCommandOf, dialects, geminiSwitch, leadersOf } from '../dialects'
import type { WindowHost } from '../window-host'

/** What a server tells of itself so that it can be checked. */
export interface CheckedServer {
  on: boolean
  problem: string | null
  port: number | null
  /** When it began to listen, in milliseconds since the epoch. */
  started: number | null
  files: readonly string[]
  /** Each of its files holds one of these. */
  tokens: readonly string[]
}

/** Looks at every server of a window: is it found, and why are command lines not connected. */
export async function checkConnections(
  window: WindowHost,
): Promise<{ dialect: ServerState['dialect']; checks: Check[] }[]> {
  const running = await findCommandLines((words) => agentOfCommandLine(words) !== null)
  return Promise.all(
    window.connections.servers().map(async ({ dialect }) => ({
      dialect,
      checks: checkServer(await factsOf(window, dialect, running)),
    })),
  )
}

/** Does what a check offered, by its id. Whoever asks has been told what will be done. */
export async function mendConnections(window: WindowHost, id: string): Promise<Done> {
  const [what = '', dialect = '', terminal = ''] = id.split(' ')
  if (what === 'enable-gemini-ide') {
    const enabled = await enableGeminiIde(window.parts.home)
    return enabled.ok ? succeed({}) : enabled
  }
  const server = window.serverOf(dialect)
  if (server === undefined) return fail('unknown', 'This check is out of date. Check again.')
  switch (what) {
    case 'switch-on':
      return server.switch(true)
    case 'rewrite-files':
      return server.rewriteFiles()
    case 'type-connect': {
      const command = dialects[dialect as ServerState['dialect']].connectCommand
      if (command === null) break
      const typed = await window.terminals.typeInto(terminal, command)
      return typed.ok ? succeed({}) : typed
    }
    default:
  }
  return fail('unknown', 'This check is out of date. Check again.')
}

async function factsOf(
  window: WindowHost,
  dialect: ServerState['dialect'],
  running: readonly CommandLine[],
): Promise<ServerFacts> {
  const { known, ...peculiar } = dialects[dialect]
  const server = window.serverOf(dialect)?.checked()
  const clientSwitch = dialect === 'gemini-companion' ? await geminiSwitch(window.parts.home) : null
  const profiles = window.parts.profiles.snapshot()
  const clis = leadersOf(running, ({ words }) => agentOfCommandLine(words)).filter(({ words }) => {
    const agent = agentOfCommandLine(words)
    return agent !== null && known.includes(agent)
  })
  return {
    dialect,
    ...peculiar,
    on: server?.on ?? false,
    problem: server?.problem ?? null,
    port: server?.port ?? null,
    started: server?.started ?? null,
    now: Date.now(),
    folders: window.folders,
    files: await Promise.all((server?.files ?? []).map((path) => lookAt(path, server?.tokens ?? []))),
    refusals: window.connections.refusals(dialect),
    clis: await Promise.all(clis.map((cli) => cliFacts(window, cli, running))),
    versions: known.map((agent) => ({
      agent: knownAgents[agent].title,
      version: profiles.find(({ id }) => id === agent)?.version ?? null,
      needs: knownAgents[agent].oldest,
    })),
    clientSwitch,
    connectCommand: connectCommandOf(peculiar.connectCommand, clientSwitch),
    isContainer: runsInContainer(),
  }
}

async function cliFacts(
  window: WindowHost,
  cli: CommandLine,
  running: readonly CommandLine[],
): Promise<CliFacts> {
  const { pid, words, cwd, started, variables } = cli
  const family = new Set(familyOf(pid, running).map((one) => one.pid))
  const id = await window.terminals.terminalOfPid(pid)
  const title = window.terminals.snapshot().find((terminal) => terminal.id === id)?.title
  const agent = agentOfCommandLine(words)
  return {
    pid,
    agent: agent === null ? 'An agent' : knownAgents[agent].title,
    isConnected: window.connections.list().some((one) => one.pid !== null && family.has(one.pid)),
    terminal: id !== null && title !== undefined ? { id, title } : null,
    cwd,
    started,
    variables,
  }
}

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
