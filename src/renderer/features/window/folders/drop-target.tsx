import { FolderInput } from 'lucide-react'
import { useEffect, useState } from 'react'
import { openDropped } from '../../../state/window/window-actions'

/** Opens files and folders dropped anywhere on the window, and says so while they are over it. */
export function DropTarget() {
  const [isOver, setOver] = useState(false)
  useEffect(() => {
    // Before any element gets it: an editor would insert a dropped file's text.
    const early = { capture: true }
    /** From outside the page (its own drags carry no files), and not over what takes files itself. */
    const isOurs = ({ dataTransfer, target }: DragEvent) =>
      dataTransfer?.types.includes('Files') === true &&
      !(target instanceof Element && target.closest('[data-takes-files]'))
    const onOver = (event: DragEvent) => {
      if (!isOurs(event)) return setOver(false)
      event.preventDefault()
      event.stopPropagation()
      if (event.dataTransfer) event.dataTransfer.dropEffect = 'copy'
      setOver(true)
    }
    // A drag that leaves the window has no related target.
    const onLeave = (event: DragEvent) => event.relatedTarget === null && setOver(false)
    const onDrop = (event: DragEvent) => {
      setOver(false)
      if (!isOurs(event)) return
      event.preventDefault()
      event.stopPropagation()
      void openDropped([...(event.dataTransfer?.files ?? [])])
    }
    document.addEventListener('dragover', onOver, early)
    document.addEventListener('dragleave', onLeave)
    document.addEventListener('drop', onDrop, early)
    return () => {
      document.removeEventListener('dragover', onOver, early)
      document.removeEventListener('dragleave', onLeave)
      document.removeEventListener('drop', onDrop, early)
    }
  }, [])
  if (!isOver) return null
  return (
    <div className="drop-target" aria-hidden="true">
      <p className="row">
        <FolderInput />
        Drop a folder or a file to open it
      </p>
    </div>
  )
}
