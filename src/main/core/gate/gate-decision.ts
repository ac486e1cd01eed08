import type { PathRule } from '../../../shared/gate/path-rule'
import type { GateMode } from '../../core/gate/gate-policy'
import type { EditTool } from '../claude-tools/edit-tools'

/** Whether a session also proposes its changes over a connection; `unknown`: none of its processes is known. */
export type Link = 'linked' | 'unlinked' | 'unknown'

/** `linked` only where each process of the session holds such a connection: any of them may be the one that asks. */
export function linkOf(processes: readonly number[], proposing: ReadonlySet<number>): Link {
  if (processes.length === 0) return 'unknown'
  return processes.every((pid) => proposing.has(pid)) ? 'linked' : 'unlinked'
}

/** What is known of a call that is going to change a file. */
export interface GateFacts {
  tool: EditTool
  /** The session's permission mode, in the agent's word; undefined if it doesn't say. */
  mode: string | undefined
  policy: GateMode
  /** The person's rule for the file. */
  rule: PathRule | null
  link: Link
  /** A planning agent writes its own plan. */
  isPlanFile: boolean
  /** It says which file it changes. */
  isUnderstood: boolean
}

/**
 * What is done about it. `ask`: the agent asks about it over its connection, in every mode. `review`: it is reviewed here.
 * `leave`: the agent's mode decides. `allow`: by a rule.
 */
export type GateDecision =
  | { kind: 'ask' }
  | { kind: 'review' }
  | { kind: 'leave' }
  | { kind: 'allow'; rule: PathRule }
  | { kind: 'deny'; why: string }

/** Decides on one change; the first that fits counts. There is never more than one review of it. */
export function decideGate(facts: GateFacts): GateDecision {
  const { tool, mode, policy, rule, link } = facts
  if (!facts.isUnderstood)
    return deny('Greenlight doesn’t see which file this changes. Use an absolute path.')
  // It is shown to the person by ExitPlanMode.
  if (facts.isPlanFile) return { kind: 'leave' }
  if (rule?.answer === 'never')
    return deny(
      `The user’s rule “${rule.pattern}” doesn’t let agents change this file. Nothing was written. Ask the user if it is needed.`,
    )
  if (policy === 'mode' && rule === null) return { kind: 'leave' }
  // There a hook's own "allow" would be asked about once more; without a terminal it is refused, as the mode wants.
  if (mode === 'plan') return { kind: 'ask' }
  if (rule?.answer === 'write') return { kind: 'allow', rule }
  // For these the agent proposes nothing over a connection.
  if (tool === 'NotebookEdit' || tool === 'MultiEdit') return { kind: 'review' }
  return link === 'linked' ? { kind: 'ask' } : { kind: 'review' }
}

function deny(why: string): GateDecision {
  return { kind: 'deny', why }
}
