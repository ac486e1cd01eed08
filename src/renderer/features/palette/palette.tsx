import { Command as Cmdk } from 'cmdk'
import { useState } from 'react'
import { type Command, isRunnable, keysOf, useCommands } from '../../commands/registry'
import { Dialog } from '../../ui/dialog'
import { Kbd } from '../../ui/kbd'
import '../../ui/choice-list.css'

/** Every command that makes sense where the focus was, to be found by a few letters and run. */
export function Palette({
  open,
  target,
  onOpenChange,
}: {
  open: boolean
  /** What had the focus when the palette was asked for; commands run for it. */
  target: Element | null
  onOpenChange: (open: boolean) => void
}) {
  const [chosen, setChosen] = useState<Command | null>(null)
  return (
    <Dialog
      open={open}
      onOpenChange={onOpenChange}
      title="Commands"
      titleUnseen
      width={560}
      atTop
      onCloseAutoFocus={(event) => {
        event.preventDefault()
        // First the focus goes back, so that the command finds the page as it was.
        if (target instanceof HTMLElement && target.isConnected) target.focus()
        chosen?.run(target)
        setChosen(null)
      }}
    >
      <PaletteList
        target={target}
        onChoose={(command) => {
          setChosen(command)
          onOpenChange(false)
        }}
      />
    </Dialog>
  )
}

function PaletteList({ target, onChoose }: { target: Element | null; onChoose: (command: Command) => void }) {
  const commands = listed(useCommands(), target)
  return (
    <Cmdk label="Commands" loop className="palette">
      <Cmdk.Input className="palette-field" placeholder="Run a command" autoFocus />
      <Cmdk.List className="palette-list">
        <Cmdk.Empty className="palette-empty">No command by these words.</Cmdk.Empty>
        {commands.map((command) => (
          <Cmdk.Item
            key={command.id}
            value={command.id}
            keywords={[command.title]}
            className="palette-item"
            onSelect={() => onChoose(command)}
          >
            <span>{command.title}</span>
            {keysOf(command)[0] ? <Kbd keys={keysOf(command)[0] ?? ''} /> : null}
          </Cmdk.Item>
        ))}
      </Cmdk.List>
    </Cmdk>
  )
}

function listed(commands: readonly Command[], target: Element | null): Command[] {
  const seen = new Set<string>()
  return commands
    .filter((command) => {
      if (command.unlisted || seen.has(command.id) || !isRunnable(command, target)) return false
      seen.add(command.id)
      return true
    })
    .toSorted((one, other) => one.title.localeCompare(other.title))
}
