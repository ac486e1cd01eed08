import type { Calls, Topics } from '../../../shared/contract/contract'
import { type Disposable, type Listen, DisposableStack } from '../../../shared/lifetime'
import type { CallHandlers, Sink, TopicHandlers } from '../../../shared/rpc/rpc'

/** The handlers of all calls whose names begin with a subject, and of some topics, checked against the contract. */
export interface PageHandlers<Subject extends string, T extends keyof Topics = never> {
  calls: Pick<CallHandlers<Calls>, Extract<keyof Calls, `${Subject}.${string}`>>
  topics: Pick<TopicHandlers<Topics>, T>
}

/** A topic that sends its whole state at first and after each change. */
export function sendWhole<State>(
  state: () => State,
  ...changes: readonly ((listener: () => void) => Disposable)[]
) {
  return (_params: unknown, sink: Sink<State, State>): Disposable => {
    sink.snapshot(state())
    return new DisposableStack(...changes.map((onChange) => onChange(() => sink.delta(state()))))
  }
}

/** A topic that sends its whole state at first, then only what changes. */
export function sendChanges<State, Change>(state: () => State, onChange: Listen<Change>) {
  return (_params: unknown, sink: Sink<State, Change>): Disposable => {
    sink.snapshot(state())
    return onChange((change) => sink.delta(change))
  }
}

/** Without the members that are undefined, as zod gives those that are absent. */
export function definedOnly<T extends object>(given: T): { [K in keyof T]?: Exclude<T[K], undefined> } {
  const defined = Object.entries(given).filter(([, value]) => value !== undefined)
  return Object.fromEntries(defined) as { [K in keyof T]?: Exclude<T[K], undefined> }
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
