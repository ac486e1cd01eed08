import { installCommandOf, isStartable } from '../../core/agents/agent'
import { AgentSearch } from '../../core/agents/agent-search'
import { type Finding, examine } from '../../core/connections/machine-checks'
import { runsInContainer } from '../../core/platform/container'
import { connectCommandOf, findAgents, leadersOf } from './command-line-facts'
import type { DialectFacts, MachineQuestion } from './dialect'

/** What agents on this machine have, lack and find, one part per dialect that agents speak. Changes nothing. */
export async function examineMachine(
  question: MachineQuestion,
  dialects: readonly DialectFacts[],
): Promise<{ title: string; findings: Finding[] }[]> {
  const { home, variables } = question
  const search = new AgentSearch()
  const leaders = leadersOf(await findAgents())
  return Promise.all(
    dialects
      .filter(({ known }) => known.length > 0)
      .map(async (dialect) => {
        const { known, agents, portVariable, anywhereByVariable, containerVariable } = dialect
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
          files: await dialect.findFiles(question),
          clis,
          clientSwitch,
          connectCommand: connectCommandOf(dialect.connectCommand, clientSwitch),
          isContainer: runsInContainer(),
          variables,
        })
        return { title: agents, findings }
      }),
  )
}
