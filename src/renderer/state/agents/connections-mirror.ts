import type { ConnectionsState } from '../../../shared/contract/connections'
import { client } from '../host/client'
import { mergeDelta, mirrorTopic, useMirror } from '../host/mirror'

/** Who is connected, and the servers that agents connect to. */
export const connectionsMirror = mirrorTopic(client, 'connections', {}, mergeDelta<ConnectionsState>)

/** Connections and servers, followed; null until the host has told them. */
export function useConnections(): ConnectionsState | null {
  return useMirror(connectionsMirror, (state) => state)
}
