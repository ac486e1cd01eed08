import { type RpcClient, createRpcClient } from '../../../shared/rpc/rpc'
import type { Calls, Topics } from '../../../shared/contract/contract'

/** The page's typed end of the contract. */
export type HostClient = RpcClient<Calls, Topics>

/** The page's one endpoint. It outlives channels: connect.ts attaches a new one after each loss. */
export const client: HostClient = createRpcClient<Calls, Topics>()
