import { Command as Cmdk, defaultFilter } from 'cmdk'
import { useRef, useState } from 'react'
import { recentCommands, rememberCommand, splitRecent } from '../../commands/recent'
import { type Command, distinctCommands, isRunnable, keysOf, useCommands } from '../../commands/registry'
import { Dialog } from '../../ui/overlays/dialog'
import { Kbd } from '../../ui/controls/kbd'
import '../../ui/controls/choice-list.css'

/** Finds and runs the commands that make sense where the focus was. */
export function Palette({
  open,
  target,
  onOpenChange,
}: {
  open: boolean
  /** What had the focus when the palette was opened; commands run on it. */
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
        // The focus goes back first, so that the command finds the page as it was.
        if (target instanceof HTMLElement && target.isConnected) target.focus()
        if (!chosen) return
        rememberCommand(chosen.id)
        chosen.run(target)
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
  const commands = distinctCommands(useCommands()).filter(
    (command) => !command.unlisted && isRunnable(command, target),
  )
  const list = useRef<HTMLDivElement>(null)
  const { recent, others } = splitRecent(commands, recentCommands.use())
  const item = (command: Command) => (
    <Cmdk.Item
      key={command.id}
      value={command.id}
      keywords={[command.title]}
      className="palette-item row"
      onSelect={() => onChoose(command)}
    >
      <span>{command.title}</span>
      {keysOf(command)[0] ? <Kbd keys={keysOf(command)[0] ?? ''} /> : null}
    </Cmdk.Item>
  )
  return (
    // Commands are found by title, not by id.
    <Cmdk
      label="Commands"
      loop
      className="palette column"
      filter={(_id, search, titles) => defaultFilter(titles?.[0] ?? '', search)}
    >
      <Cmdk.Input
        className="palette-field"
        placeholder="Run a command"
        // The best match moves to the top, but cmdk has scrolled to where it was.
        onValueChange={() => requestAnimationFrame(() => list.current?.scrollTo({ top: 0 }))}
      />
      <Cmdk.List ref={list} className="palette-list">
        <Cmdk.Empty className="palette-empty">No matching commands</Cmdk.Empty>
        {recent.length > 0 ? (
          <Cmdk.Group heading="Recent" className="palette-group">
            {recent.map(item)}
          </Cmdk.Group>
        ) : null}
        <Cmdk.Group {...(recent.length > 0 ? { heading: 'All' } : {})} className="palette-group">
          {others.map(item)}
        </Cmdk.Group>
      </Cmdk.List>
    </Cmdk>
  )
}
