import { BellPlus } from 'lucide-react'
import { useStore } from 'zustand'
import { askForNotifications, notificationPermission } from '../../state/window/attention-mirror'
import { useSetting } from '../../state/settings/settings-mirror'
import { useWindow } from '../../state/window/window-mirror'
import { Tooltip } from '../../ui/overlays/tooltip'

/** Offers notifications in a browser until the person has allowed or denied them. */
export function AttentionOffer() {
  const host = useWindow()?.host
  const wanted = useSetting('attentionNotify')
  const permission = useStore(notificationPermission, (value) => value.state)
  if (host !== 'browser' || !wanted || permission !== 'default') return null
  return (
    <Tooltip content="Your browser asks once; then you’re notified when an agent is waiting">
      <button type="button" className="status-item row" onClick={() => void askForNotifications()}>
        <BellPlus aria-hidden="true" />
        Allow notifications
      </button>
    </Tooltip>
  )
}
