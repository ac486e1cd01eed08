import { fail } from '../../../shared/result'
import type { Connections } from '../../core/connections/connections'
import type { ConnectionChecks } from '../dialect-kit/connection-checks'
import type { AgentServer } from '../dialect-kit/dialect'
import { type PageHandlers, sendWhole } from './page-handlers'

/** Who is connected, and the switches of the servers. */
export function connectionHandlers({
  connections,
  serverOf,
  checks,
}: {
  connections: Connections
  serverOf(dialect: string): AgentServer | undefined
  checks: ConnectionChecks
}): PageHandlers<'connections', 'connections'> {
  return {
    calls: {
      'connections.setServer': ({ dialect, on }) =>
        serverOf(dialect)?.switch(on) ?? fail('unknown', 'This window has no such server. Reload the page.'),
      'connections.check': async () => ({ servers: await checks.check() }),
      'connections.mend': ({ id }) => checks.mend(id),
    },
    topics: {
      connections: sendWhole(
        () => ({ connections: connections.list(), servers: connections.servers() }),
        connections.onChange,
      ),
    },
  }
}
