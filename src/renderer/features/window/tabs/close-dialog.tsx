import { useRef } from 'react'
import { useStore } from 'zustand'
import { closeTab, closingTab } from '../../../state/tabs/tab-closing'
import { Button } from '../../../ui/controls/button'
import { Dialog } from '../../../ui/overlays/dialog'

/** Asks what becomes of a file's unsaved text when its tab is closed. Escape keeps everything as it is. */
export function CloseDialog() {
  const tab = useStore(closingTab, (state) => state.tab)
  const save = useRef<HTMLButtonElement>(null)
  const finish = (unsaved?: 'save' | 'discard') => {
    closingTab.setState({ tab: null })
    if (tab && unsaved) void closeTab(tab.id, unsaved)
  }
  return (
    <Dialog
      open={tab !== null}
      onOpenChange={(open) => {
        if (!open) finish()
      }}
      title={`Save the changes to ${tab?.name ?? ''}?`}
      onOpenAutoFocus={(event) => {
        // What loses nothing and goes on with what was asked for.
        event.preventDefault()
        save.current?.focus()
      }}
      description="Your changes will be lost."
      footer={
        <>
          <Button onClick={() => finish()}>Cancel</Button>
          <Button variant="danger" onClick={() => finish('discard')}>
            Don’t save
          </Button>
          <Button ref={save} variant="primary" onClick={() => finish('save')}>
            Save
          </Button>
        </>
      }
    />
  )
}
