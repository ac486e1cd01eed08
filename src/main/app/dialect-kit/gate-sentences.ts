import type { Connection } from '../../../shared/contract/connections'
import type { GateMode, GatePolicy } from '../../core/gate/gate-policy'
import type { Gated, GateStates } from '../../core/gate/gate-states'

/** The gate of a connection, and how much it asks about. */
export interface GateNow extends Gated {
  mode: GateMode
}

/** The gate of a connection as it is now; null if nothing is known of it. */
export function gateNow(
  { gate, gated }: { gate: GatePolicy; gated: GateStates },
  connection: string,
): GateNow | null {
  const known = gated.of(connection)
  return known && { ...known, mode: gate.of(known.terminal) }
}

/** The warning about a gate that should ask about every change and doesn't; null for none. */
export function warnOfGate({ state, mode, sentence, isExpected }: GateNow): Connection['unasked'] {
  const isBypassed = isExpected && mode === 'every' && state === 'not-in-force'
  return isBypassed && sentence !== null ? { sentence, certain: true } : null
}

/** What is said of a connection that there is nothing to warn about; null if nothing is known of its gate. */
export function describeGate({ state, mode, sentence, isExpected }: GateNow): string | null {
  if (state === 'in-force')
    return mode === 'every'
      ? 'Every change is reviewed, unless a rule for files says otherwise.'
      : 'Reviewed as its mode says.'
  return state === 'not-in-force' && !isExpected ? sentence : null
}
