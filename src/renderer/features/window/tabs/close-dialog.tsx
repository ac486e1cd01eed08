import { useRef } from 'react'
import { useStore } from 'zustand'
import { closeTab, closingTab } from '../../../state/tabs/tab-closing'
import { Button } from '../../../ui/controls/button'
import { Dialog } from '../../../ui/overlays/dialog'

/** Asks whether to save a file's unsaved text before its tab closes. Escape keeps the tab open. */
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
      onOpenChange={(open) => open || finish()}
      title={`Save the changes to ${tab?.name ?? ''}?`}
      onOpenAutoFocus={(event) => {
        // It loses nothing and closes the tab, as asked.
        event.preventDefault()
        save.current?.focus()
      }}
      description="Your changes will be lost if you don’t save them."
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
