import type { Calls, Topics } from '../../../shared/contract/contract'
import type { CallHandlers, TopicHandlers } from '../../../shared/rpc/rpc'

/** The handlers of some calls and topics, checked against the contract by name. */
export interface PageHandlers<C extends keyof Calls, T extends keyof Topics> {
  calls: Pick<CallHandlers<Calls>, C>
  topics: Pick<TopicHandlers<Topics>, T>
}

type Intersection<U> = (U extends unknown ? (value: U) => void : never) extends (value: infer I) => void
  ? I
  : never

/** The handlers of several subjects as one; the compiler says which call or topic none of them has. */
export function joinHandlers<H extends readonly { calls: object; topics: object }[]>(
  ...parts: H
): { calls: Intersection<H[number]['calls']>; topics: Intersection<H[number]['topics']> } {
  const calls: unknown = Object.assign({}, ...parts.map((part) => part.calls))
  const topics: unknown = Object.assign({}, ...parts.map((part) => part.topics))
  return {
    calls: calls as Intersection<H[number]['calls']>,
    topics: topics as Intersection<H[number]['topics']>,
  }
}
