import type { Settings } from '../../../shared/contract/settings'

/** The settings that decide how agents and shells are started. */
export type StartSettings = Pick<Settings, 'terminalShell' | 'terminalProfiles' | 'claudePermissionMode'>

/** What is known about an agent's program on this machine. */
export interface FoundAgent {
  program: string
  /** As the program reports it, such as 2.1.330; null if it doesn't. */
  version: string | null
  /** Its help text, if the start depends on it; '' if it was not asked for or is empty. */
  help: string
}

/** How the New terminal menu starts an agent. */
export interface AgentStart {
  /** Arguments that print the help; null if the start doesn't depend on what this version supports. */
  helpArgs: readonly string[] | null
  argsFor(found: FoundAgent, settings: StartSettings): string[]
}

/** Everything that is particular to one agent. `agents.ts` lists them. */
export interface AgentDescription {
  /** The id of its terminal profile. It never changes, because key bindings refer to it. */
  id: string
  /** The program as a person knows it: "Claude Code". */
  title: string
  /** Its name in a sentence: "Claude". */
  name: string
  /** The name of its program, by which it is found on PATH and recognized when it runs. */
  command: string
  /** The npm package that installs it, and from which Node runs it. */
  npmPackage: string
  /** The first version known to connect to an editor the way Greenlight offers it; null if none is known. */
  connectsSince: string | null
  /** Whether the list of programs on the first day names it. */
  isSuggested: boolean
  /** Null if it is not in the New terminal menu. */
  start: AgentStart | null
}

/** An agent that the New terminal menu offers. */
export type StartableAgent = AgentDescription & { start: AgentStart }

export function isStartable(agent: AgentDescription): agent is StartableAgent {
  return agent.start !== null
}

export function installCommandOf({ npmPackage }: AgentDescription): string {
  return `npm install -g ${npmPackage}`
}

/** How a person installs an agent that was not found. */
export function installOf(agent: AgentDescription): { sentence: string; command: string } {
  return {
    sentence: `${agent.title} isn’t installed. Install it with npm, then open the terminal again.`,
    command: installCommandOf(agent),
  }
}

/** The first thing in a program's output that looks like a version. */
export function versionIn(output: string): string | null {
  return /\d+\.\d+(?:\.\d+)?(?:[-+][\w.]+)?/.exec(output)?.[0] ?? null
}
