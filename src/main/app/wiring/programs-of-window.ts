import type { AgentDescription } from '../../core/agents/agent'
import type { AgentSearch } from '../../core/agents/agent-search'
import type { WindowChanges } from '../../core/changes/changes'
import { type Environment, terminalEnvironment } from '../../core/platform/environment'
import type { DialectMachine } from '../dialect-kit/dialect'
import { longestLook, noOuterAgent } from './terminals-to-agents'

/** How a window's dialects find and start the person's programs. */
export function programsOfWindow({
  search,
  environment,
  changes,
  version,
}: {
  search: AgentSearch
  environment(): Promise<Environment>
  /** Null until the window follows what is written in its folders. */
  changes(): WindowChanges | null
  version: string
}): DialectMachine['programs'] {
  return {
    find: async (agent: AgentDescription) => search.find(agent, await environment()),
    environment: async () => {
      // What the folders hold is known before an agent can write.
      await changes()?.prepare(longestLook)
      const base = await environment()
      const added = { additions: noOuterAgent, programs: null, front: null }
      return terminalEnvironment({ base, version, platform: process.platform, ...added })
    },
  }
}
