import { ShieldAlert } from 'lucide-react'
import { useEffect } from 'react'
import { useGateQuestion } from '../../state/agents/gate-mirror'
import { ask } from '../../state/host/calls'
import { tell } from '../../state/window/notices-mirror'
import { useWindow } from '../../state/window/window-mirror'
import { announce } from '../../ui/browser/live-region'
import { AskingBar } from './asking-bar'

/**
 * Asks about what keeps agents' changes from being reviewed, if the person hasn't said anything about that. Trust is asked
 * about first.
 */
export function GateBar() {
  const waiting = useGateQuestion()
  const isTrustAsked = useWindow()?.untrusted.some(({ isDeclined }) => !isDeclined) ?? true
  const question = isTrustAsked ? null : waiting
  const isAsked = question !== null
  useEffect(() => {
    if (isAsked)
      announce('Not every change that agents make can be reviewed. A bar at the top asks about it.')
  }, [isAsked])
  if (!question) return null
  const { words, agree, decline } = question
  const answer = async (agrees: boolean) => {
    if (!(await ask('gate.answer', { words, agrees }))) return
    tell(
      'info',
      agrees
        ? 'This holds for agents that are started from now on. To change it, use the settings.'
        : 'It stays as it is. To change it, use Connections or the settings.',
    )
  }
  return (
    <AskingBar
      key={words}
      label="Review in every mode"
      icon={<ShieldAlert aria-hidden="true" />}
      words={words}
      agree={agree}
      decline={decline}
      onAnswer={(agrees) => void answer(agrees)}
    />
  )
}
