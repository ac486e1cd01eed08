import { z } from 'zod'
import { defineCall, defineTopic, nothing, resultOf } from './define'

/** Which changes are reviewed before they are written: every one, or those that the agent's mode asks about. */
const gateMode = z.enum(['every', 'mode'])

const gatedAgent = z.object({
  /** The connection's id. */
  connection: z.string(),
  /** For `gate.setMode`; null while it isn't known. */
  terminal: z.string().nullable(),
  mode: gateMode,
  /** The mode was chosen for this terminal. */
  isOwn: z.boolean(),
  /** Whether its changes really pass the gate; `unseen`: nothing has shown it yet. */
  state: z.enum(['unseen', 'in-force', 'not-in-force']),
  /** It was given what makes it ask. */
  isExpected: z.boolean(),
})
export type GatedAgent = z.infer<typeof gatedAgent>

const gateNow = z.object({
  /** Agents in new terminals pass the gate. */
  isOffered: z.boolean(),
  /** Those of which something is known. */
  agents: z.array(gatedAgent),
  /** What the person is asked once; null for nothing. `agree` and `decline` are the words of the answers. */
  question: z.object({ words: z.string(), agree: z.string(), decline: z.string() }).nullable(),
})
export type GateNow = z.infer<typeof gateNow>

export const gateCalls = {
  /** How much is asked of a terminal's agents, until it is closed; null: as the setting says. */
  'gate.setMode': defineCall(z.object({ terminal: z.string().max(100), mode: gateMode.nullable() }), nothing),
  /** Answers the question of these words, and no other that has taken its place. */
  'gate.answer': defineCall(
    z.object({ words: z.string().max(100_000), agrees: z.boolean() }),
    resultOf(nothing),
  ),
}

export const gateTopics = { gate: defineTopic(nothing, gateNow, gateNow) }
