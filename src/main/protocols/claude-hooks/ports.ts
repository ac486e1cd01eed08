import type { Origin } from '../../../shared/review/proposal'
import type { ApprovalAsking } from '../../core/approvals/approvals'
import type { GatePolicy } from '../../core/gate/gate-policy'
import type { EditGatePorts } from '../claude-tools/edit-gate'
import type { EditReviewPorts } from '../claude-tools/edit-review'
import type { HearFrame } from '../kit/logged-text'
import type { CallOf, HookCall } from './hook-wire'
import type { IdeLink } from './ide-link'

/** The terminal whose agent calls, by the id that it was started with; it need not be one of the window's. */
export interface HookSource {
  terminal: string
  /** The command line whose command started this one; null for any that was not started so. */
  parent: number | null
}

/** The session that calls, as it is shown. */
export interface HookSession {
  /** Who asks, but for the call. */
  origin: Omit<Origin, 'call'>
  link: IdeLink
  /** For the protocol log. */
  hear: HearFrame
  ended(): void
}

/** Who hears what the agents say beside their changes of files. */
export interface HookEvents {
  /** Every call, once, as it comes. */
  heard(call: HookCall, from: HookSource): void
  /** The same call, once it is known how its session is shown, before it is answered. */
  placed(call: HookCall, session: HookSession, from: HookSource): void
  /**
   * What a call is answered, of any event but PreToolUse; null for no opinion. `signal` aborts when nobody waits for it
   * any more; its reason is a `WithdrawnReason`.
   */
  answer(call: HookCall, session: HookSession, signal: AbortSignal): Promise<object | null>
}

/** Words for the model that nobody has told it yet. */
export interface Due {
  words: string
  /** Says them in another way: the model can't be told with an answer. */
  otherwise(): void
}

/** What this dialect needs of the app. */
export interface HookPorts extends EditGatePorts, EditReviewPorts {
  approvals: ApprovalAsking
  policy: Pick<GatePolicy, 'of'>
  /** By the agent's own id of it. */
  session(id: string, from: HookSource): Promise<HookSession>
  /** Whether agents show what they propose in a connected editor at all, by their own settings. */
  opensDiffs(): Promise<boolean>
  events: HookEvents
  /** What was agreed to may just have been written. */
  mayHaveBeenWritten(path: string): void
  /** What the model is to be told of a change that was asked about elsewhere; each is given once, to be told or said otherwise. */
  due: { take(call: CallOf<'PostToolUse'>): Due | null }
  /** A request was refused, and why, as a sentence. `from`: who called; null for anybody without a token. */
  refused(status: number, message: string, from: HookSource | null): void
  /** Something the person should know, as one sentence. */
  say(sentence: string): void
  /** What went wrong in here, which is a bug. */
  report(error: unknown): void
}
