import type { GatePolicy } from '../../core/gate/gate-policy'
import { succeed } from '../../../shared/result'
import type { GateQuestion, GateStates } from '../../core/gate/gate-states'
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
    calls: {
      'gate.setMode': ({ terminal, mode }) => policy.set(terminal, mode),
      'gate.answer': ({ agrees }) => states.question?.answer(agrees) ?? succeed({}),
    },
    topics: {
      gate: sendWhole(
        () => ({
          isOffered: states.isOffered,
          question: states.question && wordsOf(states.question),
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

const wordsOf = ({ words, agree, decline }: GateQuestion) => ({ words, agree, decline })
