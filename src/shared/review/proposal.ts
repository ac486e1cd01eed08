/**
 * A proposed change: what an agent asks, and what the person answers. The verdict is what the agent is told, exactly
 * once; it isn't the outcome, which is what the disk shows (core/review/machine).
 */

/** Where a proposal comes from, as far as the dialect says. */
export interface Origin {
  /** A dialect's id, or for the app's own proposals `watcher`, `sample` or one of `personsDialects`. */
  dialect: string
  /** The connection's id in the list of connections. */
  connection: string
  /** The agent's name as the person reads it, such as "Claude". */
  agent: string
  /** The agent's process, if the dialect knows it. */
  pid?: number
  /** The agent's own session id, if the dialect knows it. */
  session?: string
  /** The agent's own id of the prompt that its turn began with, if the dialect knows it. */
  turn?: string
  /** The agent's own id of its sub-agent that asks, if the dialect knows it; absent for the agent itself. */
  subAgent?: string
  /** The conversation that it is asked in, if Greenlight drives it (`Conversations.add`). */
  conversation?: string
  /** The call's id on its connection; there is one proposal per call. */
  call: string
  /** Of what was found on disk: the command that the agent ran as it was written, as far as its first line. */
  command?: string
}

/** In place of a dialect's id: proposals that the person had made themselves, so no agent waits for an answer. */
const personsDialects: readonly string[] = ['search', 'rewind']

/** Whether the person had a proposal made themselves. */
export function isPersonsOwn({ dialect }: { dialect: string }): boolean {
  return personsDialects.includes(dialect)
}

/**
 * Who writes after acceptance.
 * - `agent`: the agent writes the accepted text itself; the host must not touch the file.
 * - `host`: the host writes.
 * - `agent-then-host`: the agent writes the whole proposal, then the host puts back what was not accepted.
 * - `written`: it was on disk before anyone was asked.
 */
export type Effect = 'agent' | 'host' | 'agent-then-host' | 'written'

/** The name if several agents had a turn at once. */
export const someAgent = 'An agent'

/** An agent's turn, in words, for a change of which nothing is known but perhaps the command that ran. */
export function agentTurn(agent: string, command?: string | null): string {
  const turn = `${agent === someAgent ? 'an agent' : agent}’s turn`
  return command ? `${turn}, while it ran: ${command}` : turn
}

/** What an adapter hands to the desk. The base is read by the desk itself, from the disk. */
export interface Proposal {
  origin: Origin
  /** Absolute path, as the agent named it. */
  path: string
  /**
   * The whole text that the file should have, with the line endings that the agent sent. Of the app's own proposals that
   * put a file back: exactly these bytes, or null for no file.
   */
  proposed: string | Uint8Array | null
  /** What the agent calls this change; shown, never parsed. */
  title: string
  effect: Effect
  /**
   * Why the agent can't be told to write this text, as a sentence with a next step; null if it can. Called when the
   * person accepts; `disk` is the fingerprint of what the file holds as they do.
   */
  objection?: (text: string, disk: string) => string | null
  /**
   * Whether the file holds what was accepted, where the agent makes up a part of it as it writes. Texts have the file's own
   * line ends and byte order mark. Absent: it writes exactly what was accepted.
   */
  holds?: (disk: string, accepted: string) => boolean
  /** The answer tells the agent what the person says with it; else that is typed into the agent's prompt. */
  carriesWords?: true
}

/** Why nobody asks for a proposal any more. */
const withdrawnReasons = [
  'answered-there',
  'connection-lost',
  'cancelled',
  'replaced',
  'turn-over',
  'hooks-off',
  'shutdown',
] as const
export type WithdrawnReason = (typeof withdrawnReasons)[number]

/** The reason an aborted signal gives for a withdrawal; `cancelled` if it gives none. */
export function withdrawnReasonOf({ reason }: { reason: unknown }): WithdrawnReason {
  return withdrawnReasons.find((one) => one === reason) ?? 'cancelled'
}

/** What the agent is told. `text` has the file's own line ends and byte order mark. */
export type Verdict =
  | {
      kind: 'accepted'
      text: string
      /** What the person says to the model; absent if nothing. */
      words?: string
    }
  | {
      kind: 'rejected'
      note?: string
      /** The model was told, and its turn goes on: an answer that ends the turn would be too much. */
      told?: true
    }
  | { kind: 'withdrawn'; reason: WithdrawnReason }

/** The answer to a proposal: a verdict, or a sentence on why it can't be reviewed at all. */
export type Opening = Verdict | { kind: 'refused'; message: string }
