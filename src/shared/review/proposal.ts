/**
 * The terms of a proposed change: what an agent asks, and what the person answers. A verdict comes exactly once and is
 * not the outcome: the verdict is what the agent is told, the outcome is what the disk shows (core/review/machine).
 */

/** Where a proposal comes from, as far as the dialect tells. */
export interface Origin {
  /** The dialect by which a proposal came in; for what the app itself proposes `watcher`, `sample` or `search`. */
  dialect: string
  /** The connection's id in the list of connections. */
  connection: string
  /** The agent's name as the person reads it, such as "Claude". */
  agent: string
  /** The number of the agent's process, where the dialect knows it. */
  pid?: number
  /** The agent's own session id, where the dialect knows it. */
  session?: string
  /** The conversation that it is asked in, where Greenlight drives it (`Conversations.add`). */
  conversation?: string
  /** The call's id on its connection; one proposal answers one call. */
  call: string
}

/**
 * Who writes after acceptance.
 * - `agent`: the agent writes the accepted text itself; the host must not touch the file.
 * - `host`: the host writes.
 * - `agent-then-host`: the agent writes the whole proposal, then the host puts back what was not accepted.
 * - `written`: it was on disk before anyone was asked.
 */
export type Effect = 'agent' | 'host' | 'agent-then-host' | 'written'

/** Who is meant where several agents were in a turn. */
export const someAgent = 'An agent'

/** An agent's turn, as it is read where only that is known of a change, and not who made it. */
export function agentTurn(agent: string): string {
  return `${agent === someAgent ? 'an agent' : agent}’s turn`
}

/** What an adapter hands to the desk. The base is read by the desk itself, from the disk. */
export interface Proposal {
  origin: Origin
  /** Absolute path, as the agent named it. */
  path: string
  /** The whole text that the file should have, with the line endings that the agent sent. */
  proposed: string
  /** What the agent calls this change; shown, never parsed. */
  title: string
  effect: Effect
  /**
   * Says, as a sentence with a next step, why the agent cannot be told to write this text; null where it can. Asked
   * when the person accepts.
   */
  objection?: (text: string) => string | null
}

/** Why a proposal may no longer be asked. */
export const withdrawnReasons = [
  'answered-there',
  'connection-lost',
  'cancelled',
  'replaced',
  'turn-over',
  'shutdown',
] as const
export type WithdrawnReason = (typeof withdrawnReasons)[number]

/** What the person said, or that nobody asks any more. `text` has the file's own line ends and BOM. */
export type Verdict =
  | { kind: 'accepted'; text: string }
  | { kind: 'rejected'; note?: string }
  | { kind: 'withdrawn'; reason: WithdrawnReason }

/** The answer to opening a proposal: a verdict, or a sentence on why it cannot be reviewed at all. */
export type Opening = Verdict | { kind: 'refused'; message: string }
