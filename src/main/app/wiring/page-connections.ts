import type { WindowHost } from '../window-host'
import type { PageHandlers } from './page-handlers'

/** Who is connected, and the switches of the servers. */
export function connectionHandlers(window: WindowHost): PageHandlers<'connections.setServer', 'connections'> {
  const { connections } = window
  const state = () => ({ connections: connections.list(), servers: connections.servers() })
  return {
    calls: {
      'connections.setServer': ({ on }) => window.claudeIde.switch(on),
    },
    topics: {
      connections: (_params, sink) => {
        sink.snapshot(state())
        return connections.onChange(() => sink.delta(state()))
      },
    },
  }
}
