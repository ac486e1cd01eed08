import { CircleAlert, CircleCheck, CircleHelp } from 'lucide-react'
import { useState } from 'react'
import type { Check } from '../../../shared/contract/connections'
import { ask } from '../../state/host/calls'
import { checkConnections } from '../../state/agents/connection-checks-mirror'
import { showTerminal } from '../../state/window/frame-layout'
import { Button } from '../../ui/controls/button'
import { Dialog } from '../../ui/overlays/dialog'
import './check-list.css'

const stateIcons = { good: CircleCheck, unsure: CircleHelp, bad: CircleAlert }
const stateNames = { good: 'Good', unsure: 'Check this', bad: 'Problem' }
type Mend = NonNullable<Check['mend']>

/** The checks of a server: what was found, and a button that fixes it. */
export function CheckList({ name, checks }: { name: string; checks: readonly Check[] }) {
  const [asked, setAsked] = useState<Mend | null>(null)
  const mend = async ({ id }: Mend) => {
    setAsked(null)
    const done = await ask('connections.mend', { id })
    if (done === undefined) return
    if (id.startsWith('type-connect ')) showTerminal()
    await checkConnections()
  }
  return (
    <>
      <ul className="checks column" aria-label={`Checks for ${name}`}>
        {checks.map((check) => {
          const Icon = stateIcons[check.state]
          const { mend: offer } = check
          return (
            <li key={check.id} className={`icon-line check check-${check.state}`}>
              <Icon role="img" aria-label={stateNames[check.state]} />
              <div>
                <p className="selectable">{check.words}</p>
                {offer ? (
                  <Button
                    size="small"
                    onClick={() => (offer.asks === null ? void mend(offer) : setAsked(offer))}
                  >
                    {offer.label}
                  </Button>
                ) : null}
              </div>
            </li>
          )
        })}
      </ul>
      <Dialog
        open={asked !== null}
        onOpenChange={(open) => open || setAsked(null)}
        title="Change this setting?"
        description={asked?.asks}
        footer={
          <>
            <Button onClick={() => setAsked(null)}>Cancel</Button>
            <Button variant="primary" onClick={() => asked && void mend(asked)}>
              Change it
            </Button>
          </>
        }
      />
    </>
  )
}
