import { z } from 'zod'

/** How an agent's process ended. `message` is a sentence for the person that says what can be done. */
const processEnd = z.object({
  /**
   * `not-started`: the system could not start it. `stopped`: Greenlight ended it, because somebody asked for that.
   * `ended`: it ended by itself and without an error. `failed`: with an error code. `killed`: by a signal.
   */
  code: z.enum(['not-started', 'stopped', 'ended', 'failed', 'killed']),
  message: z.string(),
  /** The last that it wrote to its standard error, as plain text; empty where there was nothing. */
  complaints: z.string(),
})
export type ProcessEnd = z.infer<typeof processEnd>

/** How an agent's process stands. Times in milliseconds since the epoch. */
export const agentProcessState = z.discriminatedUnion('phase', [
  z.object({ phase: z.literal('running'), startedAt: z.number() }),
  z.object({ phase: z.literal('stopping') }),
  /** It ended soon after each of its last starts, so it is restarted at `until`. */
  z.object({ phase: z.literal('waiting'), until: z.number() }),
  z.object({ phase: z.literal('ended'), end: processEnd }),
])
export type AgentProcessState = z.infer<typeof agentProcessState>
