import type { GatePolicy } from '../../core/gate/gate-policy'
import type { GateStates } from '../../core/gate/gate-states'
import { type PageHandlers, sendWhole } from './page-handlers'

/** How much is asked of the agents in a window, and whether it really is. */
export function gateHandlers({
  policy,
  states,
}: {
  policy: GatePolicy
  states: GateStates
}): PageHandlers<'gate', 'gate'> {
  return {
    calls: { 'gate.setMode': ({ terminal, mode }) => policy.set(terminal, mode) },
    topics: {
      gate: sendWhole(
        () => ({
          isOffered: states.isOffered,
          agents: states.list().map(([connection, { terminal, state, isExpected }]) => ({
            ...{ connection, terminal, state, isExpected },
            mode: policy.of(terminal),
            isOwn: terminal !== null && policy.isOwn(terminal),
          })),
        }),
        policy.onChange,
        states.onChange,
      ),
    },
  }
}
