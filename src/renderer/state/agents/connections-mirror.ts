import type { ConnectionsState, ServerState } from '../../../shared/contract/connections'
import { client } from '../host/client'
import { mergeDelta, mirrorTopic, useMirror } from '../host/mirror'

/** Who is connected, and the servers that agents connect to. */
export const connectionsMirror = mirrorTopic(client, 'connections', {}, mergeDelta<ConnectionsState>)

/** Connections and servers, followed; null until the host has told them. */
export function useConnections(): ConnectionsState | null {
  return useMirror(connectionsMirror, (state) => state)
}

/** What the person types to start a program that connects to a server; null while it is off, or if agents find it. */
export function commandOf({ about: { command }, on, files: [file] }: ServerState): string | null {
  return on && command && file !== undefined ? command.text.replace('FILE', file) : null
}
