import type { Settings } from '../../../shared/contract/settings'

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

/** How the New terminal menu starts an agent. */
export interface AgentStart {
  /** Asked only where the start depends on what this version knows. */
  helpArgs: readonly string[] | null
  argsFor(found: FoundAgent, settings: StartSettings): string[]
}

/** What an agent is: the one place that knows it, named in `agents.ts`. */
export interface AgentDescription {
  /** Its profile in a terminal; stays the same, for keys are kept by it. */
  id: string
  /** The program as a person knows it: "Claude Code". */
  title: string
  /** What it is called in a sentence: "Claude". */
  name: string
  /** The name of its program, by which it is found on PATH and recognised when it runs. */
  command: string
  /** The package that npm installs it from, and Node runs it out of. */
  npmPackage: string
  /** The first version known to connect to an editor as we are one; null where none is known to. */
  connectsSince: string | null
  /** Whether the list of programs on the first day names it. */
  isSuggested: boolean
  /** Null: it is not in the New terminal menu. */
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

/** What the person reads of an agent that is not there. */
export function installOf(agent: AgentDescription): { sentence: string; command: string } {
  return {
    sentence: `${agent.title} isn’t installed. Install it with npm, then open the terminal again.`,
    command: installCommandOf(agent),
  }
}

/** The version in what a program says of itself: the first thing that looks like one. */
export function versionIn(output: string): string | null {
  return /\d+\.\d+(?:\.\d+)?(?:[-+][\w.]+)?/.exec(output)?.[0] ?? null
}
