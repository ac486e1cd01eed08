import { fail } from '../../../shared/result'
import type { WindowHost } from '../window-host'
import { checkConnections, mendConnections } from './connection-checks'
import type { PageHandlers } from './page-handlers'

type ConnectionCalls = 'connections.setServer' | 'connections.check' | 'connections.mend'

/** Who is connected, and the switches of the servers. */
export function connectionHandlers(window: WindowHost): PageHandlers<ConnectionCalls, 'connections'> {
  const { connections } = window
  const state = () => ({ connections: connections.list(), servers: connections.servers() })
  return {
    calls: {
      'connections.setServer': ({ dialect, on }) =>
        window.serverOf(dialect)?.switch(on) ??
        fail('unknown', 'This window has no such server. Load the page anew.'),
      'connections.check': async () => ({ servers: await checkConnections(window) }),
      'connections.mend': ({ id }) => mendConnections(window, id),
    },
    topics: {
      connections: (_params, sink) => {
        sink.snapshot(state())
        return connections.onChange(() => sink.delta(state()))
      },
    },
  }
}
