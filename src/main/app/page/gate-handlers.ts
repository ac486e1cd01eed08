import type { GatePolicy } from '../../core/gate/gate-policy'
import { fail } from '../../../shared/result'
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
      'gate.answer': ({ words, agrees }) =>
        states.question?.words === words ? states.question.answer(agrees) : notAsked,
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

const notAsked = fail(
  'gone',
  'This is no longer asked, so nothing was changed. Read what the bar at the top says now, or look in Connections.',
)

const wordsOf = ({ words, agree, decline }: GateQuestion) => ({ words, agree, decline })
