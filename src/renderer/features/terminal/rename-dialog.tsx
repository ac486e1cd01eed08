import { useState } from 'react'
import { useStore } from 'zustand'
import type { Terminal } from '../../../shared/contract/terminals'
import { send } from '../../state/host/calls'
import { Button } from '../../ui/controls/button'
import { Dialog } from '../../ui/overlays/dialog'
import { renaming } from './terminal-state'

/** Asks for another title of a terminal. */
export function RenameDialog({ terminals }: { terminals: readonly Terminal[] }) {
  const id = useStore(renaming, (value) => value.terminal)
  const terminal = terminals.find((other) => other.id === id)
  const close = () => renaming.setState({ terminal: null })
  return (
    <Dialog
      open={terminal !== undefined}
      onOpenChange={(open) => open || close()}
      title="Rename terminal"
      width={360}
    >
      {terminal ? <TitleForm key={terminal.id} terminal={terminal} onDone={close} /> : null}
    </Dialog>
  )
}

function TitleForm({ terminal, onDone }: { terminal: Terminal; onDone: () => void }) {
  const [title, setTitle] = useState(terminal.title)
  const wanted = title.trim().slice(0, 200)
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        if (wanted) send('terminals.rename', { id: terminal.id, title: wanted })
        onDone()
      }}
    >
      <div className="dialog-body">
        <input
          type="text"
          className="field terminal-title-field"
          aria-label="Title"
          value={title}
          maxLength={200}
          onFocus={(event) => event.target.select()}
          onChange={(event) => setTitle(event.target.value)}
        />
      </div>
      <div className="dialog-footer">
        <Button onClick={onDone}>Cancel</Button>
        <Button type="submit" disabled={!wanted}>
          Rename
        </Button>
      </div>
    </form>
  )
}
