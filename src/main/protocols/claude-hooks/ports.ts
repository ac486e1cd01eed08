import type { Opening, Proposal } from '../../../shared/review/proposal'
import type { ApprovalAsking } from '../../core/approvals/approvals'
import type { GatePolicy } from '../../core/gate/gate-policy'
import type { GateRules } from '../../core/gate/gate-rules'
import type { Receipts } from '../../core/review/receipts'
import type { HookCall } from './hook-wire'

/** The terminal whose agent calls, by the id that it was started with; it need not be one of the window's. */
export interface HookSource {
  terminal: string
}

/** Who hears what the agents say beside their changes of files. */
export interface HookEvents {
  /** Every call, once, before it is answered. */
  heard(call: HookCall, from: HookSource): void
  /**
   * What a call is answered, of any event but PreToolUse; null for no opinion. `signal` aborts when nobody waits for it
   * any more; its reason is a `WithdrawnReason`.
   */
  answer(call: HookCall, from: HookSource, signal: AbortSignal): Promise<object | null>
}

/** What this dialect needs of the app. */
export interface HookPorts {
  review: Receipts & { open(proposal: Proposal, signal: AbortSignal): Promise<Opening> }
  approvals: ApprovalAsking
  policy: Pick<GatePolicy, 'of'>
  rules: Pick<GateRules, 'of'>
  /** The processes that are alive in a session; none if they aren't known. */
  processes(session: string): Promise<readonly number[]>
  /** The processes that propose each of their changes over a connection. */
  proposing(): ReadonlySet<number>
  /** An editing tool may change a file next. Resolves when what it holds is kept. */
  beforeChange?(path: string): Promise<void>
  events: HookEvents
  /** Words for the model of a change that was asked about elsewhere, which nobody has told it yet; each is given once. */
  due: { take(asked: { session: string; call: string; path: string }): string | null }
  /** A request was refused; a sentence for the log. */
  refused(status: number, message: string): void
  /** A body as it came or went, for the protocol log. */
  frame(terminal: string, direction: 'in' | 'out', text: string, bytes: number): void
  /** What went wrong in here, which is a bug. */
  report(error: unknown): void
}
