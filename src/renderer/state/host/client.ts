import { type RpcClient, createRpcClient } from '../../../shared/rpc/rpc'
import type { Calls, Topics } from '../../../shared/contract/contract'

/** The page's end of the contract, typed. */
export type HostClient = RpcClient<Calls, Topics>

/** The one endpoint of this page. It outlives channels: connect.ts attaches a new one after each loss. */
export const client: HostClient = createRpcClient<Calls, Topics>()
