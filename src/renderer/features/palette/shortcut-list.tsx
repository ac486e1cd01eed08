import { fixedCommands } from '../../commands/fixed-keys'
import { distinctCommands, keysOf, useCommands, useKeyChanges } from '../../commands/registry'
import { Button } from '../../ui/controls/button'
import { Dialog } from '../../ui/overlays/dialog'
import { Kbd } from '../../ui/controls/kbd'
import { keyLabel } from '../../ui/wording/key-label'
import { isMac } from '../../ui/browser/platform'
import { groupByPlace, placeName } from './command-places'
import './palette.css'

/** All keys, grouped by where they work. */
export function ShortcutList({
  open,
  onOpenChange,
  onChange,
}: {
  open: boolean
  onOpenChange: (open: boolean) => void
  /** The person wants to change keys. */
  onChange: () => void
}) {
  useKeyChanges()
  const commands = distinctCommands(useCommands()).filter((command) => keysOf(command).length > 0)
  const groups = groupByPlace([...commands, ...fixedCommands(isMac)])
  return (
    <Dialog
      open={open}
      onOpenChange={onOpenChange}
      title="Keyboard shortcuts"
      width={760}
      footer={
        <>
          <Button onClick={() => onOpenChange(false)}>Close</Button>
          <Button onClick={onChange}>Change keys …</Button>
        </>
      }
    >
      <div className="dialog-body shortcut-body" role="group" aria-label="Shortcuts" tabIndex={0}>
        <div className="shortcut-groups">
          {groups.map(([place, group]) => (
            <section key={place} className="shortcut-group" aria-label={placeName(place)}>
              <h3 className="aside">{placeName(place)}</h3>
              <ul>
                {group.map((command) => (
                  <ShortcutLine key={command.id} title={command.title} keys={keysOf(command)} />
                ))}
              </ul>
            </section>
          ))}
        </div>
      </div>
    </Dialog>
  )
}

function ShortcutLine({ title, keys }: { title: string; keys: readonly string[] }) {
  return (
    <li className="shortcut-line row">
      <span>{title}</span>
      <span className="shortcut-keys">
        {keys.map((key) => (
          <span key={key}>
            <Kbd keys={key} />
            <span className="unseen">{keyLabel(key, isMac)}</span>
          </span>
        ))}
      </span>
    </li>
  )
}
