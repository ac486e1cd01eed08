import { type MouseEvent, useRef } from 'react'
import { useStore } from 'zustand'
import { usePressGuard } from '../../ui/browser/use-press-guard'
import { Button } from '../../ui/controls/button'
import { Dialog } from '../../ui/overlays/dialog'
import { deleteForGood, moveToTrash, subjectOf } from './file-actions'
import { endDeleting, focusTree, treeState } from './tree-state'

/** Asks before files go to the trash, and again before they are deleted where the trash refuses them. */
export function DeleteDialog() {
  const asked = useStore(treeState, (state) => state.deleting[0])
  const trash = useRef<HTMLButtonElement>(null)
  // The text stays while the dialog closes.
  const last = useRef(asked)
  if (asked) last.current = asked
  const { id, paths, refused } = last.current ?? { id: 0, paths: [], refused: [] }
  const isFinal = refused.length > 0
  const subject = subjectOf(paths)
  const move = ({ detail }: MouseEvent) => {
    // The second press of a double one was meant for the question before.
    if (detail > 1) return
    endDeleting()
    void moveToTrash(paths)
  }
  const deleteAll = () => {
    endDeleting()
    void deleteForGood(paths)
  }
  return (
    <Dialog
      // Each question begins with its own focus, so that no press answers it that was meant for the one before.
      key={id}
      open={asked !== undefined}
      onOpenChange={(open) => open || endDeleting()}
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
        if (treeState.getState().deleting.length === 0) focusTree()
      }}
      footer={
        <>
          <Button onClick={endDeleting}>Cancel</Button>
          {isFinal ? (
            <DeleteButton onPress={deleteAll} />
          ) : (
            <Button ref={trash} variant="danger" onClick={move}>
              Move to trash
            </Button>
          )}
        </>
      }
    />
  )
}

/** The question comes when the trash has refused, whatever is done then: a press counts only once it can have been read. */
function DeleteButton({ onPress }: { onPress: () => void }) {
  const button = useRef<HTMLButtonElement>(null)
  const { guard, isReady } = usePressGuard(button)
  return (
    <Button
      ref={button}
      variant="danger"
      aria-disabled={!isReady}
      onPointerDownCapture={(event) => guard.begin(event.target)}
      onClick={(event) => {
        if (guard.counts(event.currentTarget, event.detail)) onPress()
      }}
    >
      Delete permanently
    </Button>
  )
}
