import type { Result } from '../../../shared/result'
import type { ApprovalAsking } from '../../core/approvals/approvals'
import type { GateRules } from '../../core/gate/gate-rules'
import type { ReviewDesk } from '../../core/review/desk'

/** One prompt for an agent. */
export interface TurnRequest {
  prompt: string
  /** A trusted one, by its real path. */
  folder: string
  /** The agent's own words; null: its default. */
  model: string | null
  permissionMode: string | null
  /** The session that it continues; null: a new one. */
  resume: string | null
}

/** What a turn is given by whoever has it run. */
export interface TurnSurroundings {
  approvals: ApprovalAsking
  desk: Pick<ReviewDesk, 'open'>
  /** The rules for files that hold in this turn alone. */
  rules: Pick<GateRules, 'of'>
  /** Whether somebody can be asked about changes; else a permission mode that asks about none decides. */
  isWatched: boolean
  /** Takes each of the agent's own messages, as it came. No more is read until the returned promise settles. */
  message(line: string): void | Promise<void>
  /** Something that the person should know meanwhile. */
  say(sentence: string): void
  /** A rule for files has refused a change. */
  refused(title: string, path: string): void
  /** Aborting stops it; `runTurn` then fails once nothing of it is left. */
  signal: AbortSignal
}

/** How a turn ended. */
export interface TurnEnd {
  /** The agent's own last message about it, as it came. */
  message: string
  /** What the agent said last, or what went wrong. */
  text: string
  isError: boolean
  /** Whether anything that the agent wanted was refused. */
  isRefused: boolean
}

/**
 * Runs one turn without a page, and resolves once nothing of it is left. Fails as `invalid` if what is asked can't be,
 * else if there was no end.
 */
export type RunTurn = (turn: TurnRequest, surroundings: TurnSurroundings) => Promise<Result<TurnEnd>>
