import { Hourglass } from 'lucide-react'
import type { Tab } from '../../../../shared/contract/tabs'
import { closeTab } from '../../../state/tabs/tab-closing'
import { Button } from '../../../ui/controls/button'
import { InfoBar } from '../../../ui/layout/info-bar'
import { Tooltip } from '../../../ui/overlays/tooltip'

type FileTab = Extract<Tab, { kind: 'file' }>

/** Says that a command waits for this file, and lets the command go on. */
export function WaitBar({ tab }: { tab: FileTab }) {
  const outside = tab.outside ? ', which lies outside the folder' : ''
  return (
    <InfoBar
      icon={<Hourglass aria-hidden="true" strokeWidth={1.8} />}
      words={`A command is waiting for this file${outside}.`}
      role="group"
      aria-label="Waiting command"
    >
      <Tooltip content="Save and close to let the command continue">
        <Button size="small" onClick={() => void closeTab(tab.id, 'save')}>
          Done
        </Button>
      </Tooltip>
    </InfoBar>
  )
}

/** What a file's tab adds to its description. */
export function waitedWords(tab: FileTab): string {
  return [tab.waited ? 'a command is waiting for this file' : '', tab.outside ? 'outside the folder' : '']
    .filter(Boolean)
    .join(', ')
}
