import type { Calls, Topics } from '../../../shared/contract/contract'
import type { CallHandlers, TopicHandlers } from '../../../shared/rpc'

/** The handlers of some calls and topics, checked against the contract by name. */
export interface PageHandlers<C extends keyof Calls, T extends keyof Topics> {
  calls: Pick<CallHandlers<Calls>, C>
  topics: Pick<TopicHandlers<Topics>, T>
}
