import { installCommandOf, isStartable } from '../../core/agents/agent'
import { AgentSearch } from '../../core/agents/agent-search'
import { type Finding, examine } from '../../core/connections/machine-checks'
import { runsInContainer } from '../../core/platform/container'
import { connectCommandOf, findAgents, leadersOf } from './command-line-facts'
import type { DialectFacts, MachineQuestion } from './dialect'

/** What agents on this machine have, lack and find, one part per dialect that has something to say. Changes nothing. */
export async function examineMachine(
  question: MachineQuestion,
  dialects: readonly DialectFacts[],
): Promise<{ title: string; findings: Finding[] }[]> {
  const { home, variables } = question
  const search = new AgentSearch()
  const leaders = leadersOf(await findAgents())
  const parts = await Promise.all(
    dialects.map(async (dialect) => {
      const { known, agents, about, portVariable, anywhereByVariable, containerVariable } = dialect
      const files = await dialect.findFiles(question)
      // A server that nothing finds by itself matters only where there is one.
      if (known.length === 0 && files.length === 0) return null
      const installed = await Promise.all(
        known.filter(isStartable).map(async (agent) => {
          const found = await search.find(agent, variables)
          return {
            agent: agent.title,
            version: found?.version ?? null,
            isInstalled: found !== null,
            install: installCommandOf(agent),
            needs: agent.connectsSince,
          }
        }),
      )
      const clis = leaders
        .filter(({ agent }) => known.includes(agent))
        .map((cli) => ({ ...cli, agent: cli.agent.title, isConnected: false, terminal: null }))
      const clientSwitch = (await dialect.clientSwitch?.read(home)) ?? null
      const findings = examine({
        dialect: dialect.id,
        ...{ agents, portVariable, anywhereByVariable, containerVariable },
        installed,
        files,
        clis,
        clientSwitch,
        connectCommand: connectCommandOf(dialect.connectCommand, clientSwitch),
        isContainer: runsInContainer(),
        variables,
      })
      return { title: known.length > 0 ? agents : capitalized(about.name), findings }
    }),
  )
  return parts.filter((part) => part !== null)
}

function capitalized(name: string): string {
  return name.charAt(0).toUpperCase() + name.slice(1)
}
