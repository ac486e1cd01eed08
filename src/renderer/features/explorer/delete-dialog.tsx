import { useRef } from 'react'
import { useStore } from 'zustand'
import { Button } from '../../ui/controls/button'
import { Dialog } from '../../ui/overlays/dialog'
import { deleteForGood, moveToTrash, subjectOf } from './file-actions'
import { focusTree, treeState } from './tree-state'

/** Asks before files go to the trash, and again before they are deleted where the trash refuses them. */
export function DeleteDialog() {
  const asked = useStore(treeState, (state) => state.deleting)
  const trash = useRef<HTMLButtonElement>(null)
  // The text stays while the dialog fades out.
  const last = useRef(asked)
  if (asked) last.current = asked
  const { paths, refused } = asked ?? last.current ?? { paths: [], refused: [] }
  const close = () => treeState.setState({ deleting: null })
  const isFinal = refused.length > 0
  const subject = subjectOf(paths)
  const act = () => {
    close()
    void (isFinal ? deleteForGood(paths) : moveToTrash(paths))
  }
  return (
    <Dialog
      open={asked !== null}
      onOpenChange={(open) => open || close()}
      title={isFinal ? `Delete ${subject} permanently?` : `Move ${subject} to the trash?`}
      description={
        isFinal
          ? `${paths.length === 1 ? 'It' : 'They'} can’t be moved to the trash: ${refused.join('; ')}. Deleting can’t be undone.`
          : `You can restore ${paths.length === 1 ? 'it' : 'them'} from there. Unsaved text stays open in its tab.`
      }
      width={420}
      onOpenAutoFocus={(event) => {
        // Enter confirms only what can be undone.
        if (isFinal || !trash.current) return
        event.preventDefault()
        trash.current.focus()
      }}
      onCloseAutoFocus={(event) => {
        event.preventDefault()
        focusTree()
      }}
      footer={
        <>
          <Button onClick={close}>Cancel</Button>
          <Button ref={trash} variant="danger" onClick={act}>
            {isFinal ? 'Delete permanently' : 'Move to trash'}
          </Button>
        </>
      }
    />
  )
}
