import { z } from 'zod'

/** How an agent's process ended. `message` is a sentence for the person with a next step. */
const processEnd = z.object({
  /**
   * `not-started`: the system couldn't start it. `stopped`: Greenlight ended it on request. `ended`: it exited by
   * itself without an error. `failed`: with an error code. `killed`: by a signal.
   */
  code: z.enum(['not-started', 'stopped', 'ended', 'failed', 'killed']),
  message: z.string(),
  /** The end of its standard error, as plain text; may be empty. */
  complaints: z.string(),
})
export type ProcessEnd = z.infer<typeof processEnd>

/** The state of an agent's process. Times in milliseconds since the epoch. */
export const agentProcessState = z.discriminatedUnion('phase', [
  /** On its way; what it is told waits. */
  z.object({ phase: z.literal('starting') }),
  z.object({ phase: z.literal('running'), startedAt: z.number() }),
  z.object({ phase: z.literal('stopping') }),
  /** It kept ending soon after each start, so it is restarted at `until`. */
  z.object({ phase: z.literal('waiting'), until: z.number() }),
  z.object({ phase: z.literal('ended'), end: processEnd }),
])
export type AgentProcessState = z.infer<typeof agentProcessState>
