import type { ServerState } from '../../shared/contract/connections'
import { readGeminiIdeSettings } from '../core/agents/gemini-settings'
import type { KnownAgent } from '../core/agents/running-agents'
import type { ServerFacts } from '../core/connections/server-checks'

/** What is peculiar to a dialect when its connections are checked (docs/protocols). */
export interface DialectFacts extends Pick<
  ServerFacts,
  'agents' | 'portVariable' | 'anywhereByVariable' | 'containerVariable' | 'connectCommand'
> {
  known: readonly KnownAgent[]
}

export const dialects: Record<ServerState['dialect'], DialectFacts> = {
  'claude-ide': {
    agents: 'Claude Code',
    known: ['claude'],
    portVariable: 'CLAUDE_CODE_SSE_PORT',
    anywhereByVariable: true,
    containerVariable: null,
    connectCommand: '/ide',
  },
  'gemini-companion': {
    agents: 'Gemini CLI',
    known: ['gemini', 'qwen'],
    portVariable: 'GEMINI_CLI_IDE_SERVER_PORT',
    anywhereByVariable: false,
    containerVariable: 'REMOTE_CONTAINERS',
    connectCommand: '/ide enable',
  },
  // No agent's command line looks for it.
  'session-server': {
    agents: 'other programs',
    known: [],
    portVariable: '',
    anywhereByVariable: false,
    containerVariable: null,
    connectCommand: null,
  },
}

/** What Gemini CLI's own settings say of its switch for editors, or why they cannot be read. */
export async function geminiSwitch(home: string): Promise<NonNullable<ServerFacts['clientSwitch']>> {
  const settings = await readGeminiIdeSettings(home)
  return settings.ok ? settings.value : { path: '', problem: settings.failure.message }
}

/**
 * Gemini CLI knows `/ide enable` while its own switch is off, and after it has lost a connection, but not where it has
 * found no editor at its start (measured with 0.61.0). With its switch on nothing tells the last two apart, so nothing is
 * offered: to start it anew is right for both.
 */
export function connectCommandOf(
  command: string | null,
  clientSwitch: ServerFacts['clientSwitch'],
): string | null {
  const isOn = clientSwitch !== null && 'enabled' in clientSwitch && clientSwitch.enabled === true
  return isOn ? null : command
}

/** Of command lines that start others of their own kind, the first of each family: the one that a person knows. */
export function leadersOf<T extends { pid: number; parent: number }>(
  running: readonly T[],
  kindOf: (one: T) => string | null,
): T[] {
  const kinds = new Map(running.map((one) => [one.pid, kindOf(one)]))
  return running.filter((one) => kinds.get(one.parent) !== kindOf(one))
}
