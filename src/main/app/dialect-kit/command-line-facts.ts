import type { AgentDescription } from '../../core/agents/agent'
import { agentOfCommandLine } from '../../core/agents/running-agents'
import type { ClientSwitch } from '../../core/connections/server-checks'
import { type CommandLine, findCommandLines } from '../../core/platform/command-lines'

/**
 * Gemini CLI knows `/ide enable` while its own switch is off, and after it has lost a connection, but not where it has
 * found no editor at its start (measured with 0.61.0). With its switch on nothing tells the last two apart, so nothing is
 * offered: restarting it is right for both.
 */
export function connectCommandOf(command: string | null, clientSwitch: ClientSwitch | null): string | null {
  const isOn = clientSwitch !== null && 'enabled' in clientSwitch && clientSwitch.enabled === true
  return isOn ? null : command
}

/** A running command line of an agent. */
export type Leader = CommandLine & { agent: AgentDescription }

/** The agents' command lines that run now. */
export function findAgents(): Promise<CommandLine[]> {
  return findCommandLines((words) => agentOfCommandLine(words) !== null)
}

/** Of command lines that start others of their own agent, only the first of each family: the one a person knows. */
export function leadersOf(running: readonly CommandLine[]): Leader[] {
  const agents = new Map(running.map(({ pid, words }) => [pid, agentOfCommandLine(words)]))
  return running.flatMap((one) => {
    const agent = agents.get(one.pid)
    return agent && agents.get(one.parent) !== agent ? [{ ...one, agent }] : []
  })
}
