import { BellPlus } from 'lucide-react'
import { useStore } from 'zustand'
import { askForNotifications, notificationPermission } from '../../state/window/attention-mirror'
import { useSetting } from '../../state/settings/settings-mirror'
import { useWindow } from '../../state/window/window-mirror'
import { Tooltip } from '../../ui/overlays/tooltip'

/** In a browser, until the person has answered it: the button by which it may show notifications. */
export function AttentionOffer() {
  const host = useWindow()?.host
  const wanted = useSetting('attentionNotify')
  const permission = useStore(notificationPermission, (value) => value.state)
  if (host !== 'browser' || !wanted || permission !== 'default') return null
  return (
    <Tooltip content="The browser asks you once; then the system says when an agent waits for you">
      <button type="button" className="status-item" onClick={() => void askForNotifications()}>
        <BellPlus aria-hidden="true" />
        Allow notifications
      </button>
    </Tooltip>
  )
}
