import type { PathRule } from '../../../shared/gate/path-rule'
import type { GateMode } from './gate-policy'

/** What is known of a change that an agent is going to make. */
export interface GateFacts {
  policy: GateMode
  /** The person's rule for the file. */
  rule: PathRule | null
  /** It says which file it changes. */
  isUnderstood: boolean
  /** Its mode is one in which it only plans. */
  isPlanning: boolean
  /** A planning agent writes its own plan. */
  isPlanFile: boolean
  /** Told to ask, the agent has it reviewed here in a way of its own. */
  asksItself: boolean
}

/**
 * What is done about it. `ask`: the agent asks in its own way, in every mode. `review`: it is reviewed here. `leave`: the
 * agent's mode decides. `allow`: by a rule. `why` is for the model.
 */
export type GateDecision =
  | { kind: 'ask'; why: string }
  | { kind: 'review' }
  | { kind: 'leave' }
  | { kind: 'allow'; why: string; rule: PathRule }
  | { kind: 'deny'; why: string }

/** Decides on one change; the first that fits counts. There is never more than one review of it. */
export function decideGate(facts: GateFacts): GateDecision {
  const { policy, rule } = facts
  if (!facts.isUnderstood) return { kind: 'deny', why: unnamed }
  // It is shown to the person in another way.
  if (facts.isPlanFile) return { kind: 'leave' }
  if (rule?.answer === 'never') return { kind: 'deny', why: refusedBy(rule) }
  if (policy === 'mode' && rule === null) return { kind: 'leave' }
  // There an "allow" would be asked about once more; without a terminal it is refused, as the mode wants.
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

/** Why a change is refused that doesn't say plainly which file it changes, for the model. */
export const unnamed = 'Greenlight doesn’t see which file this changes. Use an absolute path without “..”.'

/** Why a rule refuses a change, for the model. */
export function refusedBy({ pattern }: PathRule): string {
  return `The user’s rule “${pattern}” doesn’t let agents change this file. Nothing was written. Ask the user if it is needed.`
}
