import { ShieldOff } from 'lucide-react'
import { answerTrust, trustDialog } from '../../../state/window/trust-answer'
import { useWindow } from '../../../state/window/window-mirror'
import { Menu, MenuGap, MenuItem } from '../../../ui/overlays/menu'
import { countOf } from '../../../ui/wording/number-format'
import { plainName } from '../../../ui/wording/plain-name'

/** Which of the window's folders aren't trusted, as long as there are any. */
export function TrustStatus() {
  const facts = useWindow()
  if (!facts || facts.untrusted.length === 0) return null
  const { folders, untrusted } = facts
  return (
    <Menu
      side="top"
      trigger={
        <button type="button" className="status-item row">
          <ShieldOff aria-hidden="true" />
          {folders.length > 1 ? `${countOf(untrusted.length, 'folder')} not trusted` : 'not trusted'}
        </button>
      }
    >
      {untrusted.map(({ path, name }) => (
        <MenuItem key={path} onSelect={() => answerTrust(path, true)}>
          Trust <span className="name">{plainName(name)}</span>
        </MenuItem>
      ))}
      <MenuGap />
      <MenuItem onSelect={() => trustDialog.setState({ open: true })}>Trusted folders …</MenuItem>
    </Menu>
  )
}
