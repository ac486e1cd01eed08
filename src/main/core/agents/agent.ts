import type { Settings } from '../../../shared/contract/settings'
import type { KnownAgent } from './running-agents'

/** The settings that decide how agents and shells are started. */
export type StartSettings = Pick<Settings, 'terminalShell' | 'terminalProfiles' | 'claudePermissionMode'>

/** What is known of an agent's program on this machine. */
export interface FoundAgent {
  program: string
  /** As the program tells it, like 2.1.330; null when it does not. */
  version: string | null
  /** What its help says, for what depends on it; '' when it was not asked or says nothing. */
  help: string
}

/** What an agent is: its program, how it is asked about itself, started and installed. */
export interface AgentDescription {
  id: KnownAgent
  title: string
  command: string
  versionArgs: readonly string[]
  /** Asked only where the start depends on what this version knows. */
  helpArgs: readonly string[] | null
  install: { sentence: string; command: string }
  /** The arguments of a start in a terminal. */
  argsFor(found: FoundAgent, settings: StartSettings): string[]
}

/** The version in what a program says of itself: the first thing that looks like one. */
export function versionIn(output: string): string | null {
  return /\d+\.\d+(?:\.\d+)?(?:[-+][\w.]+)?/.exec(output)?.[0] ?? null
}
