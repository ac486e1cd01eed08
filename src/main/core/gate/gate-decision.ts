import type { PathRule } from '../../../shared/gate/path-rule'
import type { GateMode } from './gate-policy'

/** What is known about a change that an agent is about to make. */
export interface GateFacts {
  policy: GateMode
  /** The person's rule for the file. */
  rule: PathRule | null
  /** The call says plainly which file it changes. */
  isUnderstood: boolean
  /** The agent is in a mode in which it only plans. */
  isPlanning: boolean
  /** The file is the agent's own plan. */
  isPlanFile: boolean
  /** If told to ask, the agent brings the change here for review by its own protocol. */
  asksItself: boolean
}

/**
 * What is done about it. `ask`: the agent asks in its own way, whatever its mode. `review`: it is reviewed here.
 * `leave`: the agent's mode decides. `allow`: a rule lets it through. `why` is for the model.
 */
export type GateDecision =
  | { kind: 'ask'; why: string }
  | { kind: 'review' }
  | { kind: 'leave' }
  | { kind: 'allow'; why: string; rule: PathRule }
  | { kind: 'deny'; why: string }

/** Decides about one change; the first reason that fits counts. No change is ever reviewed twice. */
export function decideGate(facts: GateFacts): GateDecision {
  const { policy, rule } = facts
  if (!facts.isUnderstood) return { kind: 'deny', why: unnamed }
  // The person is shown plans in another way.
  if (facts.isPlanFile) return { kind: 'leave' }
  if (rule?.answer === 'never') return { kind: 'deny', why: refusedBy(rule) }
  if (policy === 'mode' && rule === null) return { kind: 'leave' }
  // A planning agent would ask again despite an "allow"; without a terminal it is refused, as the mode intends.
  if (facts.isPlanning) return ask
  if (rule?.answer === 'write')
    return {
      kind: 'allow',
      why: `The user’s rule “${rule.pattern}” lets agents change this file.`,
      rule,
    }
  return facts.asksItself ? ask : { kind: 'review' }
}

const ask: GateDecision = { kind: 'ask', why: 'Greenlight reviews each change of a file.' }

/** Why a change that doesn't say plainly which file it changes is refused, for the model. */
export const unnamed = 'Greenlight doesn’t see which file this changes. Use an absolute path without “..”.'

/** Why a rule refuses a change, for the model. */
export function refusedBy({ pattern }: PathRule): string {
  return `The user’s rule “${pattern}” doesn’t let agents change this file. Nothing was written. Ask the user if it is needed.`
}
