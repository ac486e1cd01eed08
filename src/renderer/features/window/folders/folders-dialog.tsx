import { Folder } from 'lucide-react'
import { useStore } from 'zustand'
import { ask } from '../../../state/host/calls'
import { useWindow } from '../../../state/window/window-mirror'
import { chooseFolder, droppedFolders, foldersDialog, takeFolder } from '../../../state/window/window-actions'
import { tell } from '../../../state/window/notices-mirror'
import { Button } from '../../../ui/controls/button'
import { Dialog } from '../../../ui/overlays/dialog'
import { plainName } from '../../../ui/wording/plain-name'
import './folder-dialog.css'

/** The folders of this window, to add and remove; agents see them as their workspace. */
export function FoldersDialog() {
  const open = useStore(foldersDialog, (state) => state.open)
  const facts = useWindow()
  const folders = facts?.folders ?? []
  const close = () => foldersDialog.setState({ open: false })
  return (
    <Dialog
      open={open}
      onOpenChange={(next) => foldersDialog.setState({ open: next })}
      title="Folders of this window"
      description="Agents connected to this window see these folders as their workspace. Changes apply immediately."
      width={600}
      footer={
        <>
          <Button onClick={close}>Done</Button>
          <Button
            variant="primary"
            onClick={() => {
              close()
              void chooseFolder('add')
            }}
          >
            Add a folder …
          </Button>
        </>
      }
    >
      <ul className="folders-list" aria-label="Folders">
        {folders.map(({ name, path }) => (
          <li key={path} className="row">
            <Folder aria-hidden="true" />
            <span className="folders-name column">
              <span className="name">{plainName(name)}</span>
              <span className="name aside">{plainName(path)}</span>
            </span>
            <Button
              size="small"
              aria-label={`Remove ${name}`}
              onClick={() => void ask('window.removeFolder', { path })}
            >
              Remove
            </Button>
          </li>
        ))}
        {folders.length === 0 ? <li className="folders-none row">This window has no folders.</li> : null}
      </ul>
    </Dialog>
  )
}

/** Asks where folders should open that were dropped on a window with folders. */
export function DroppedDialog() {
  const paths = useStore(droppedFolders, (state) => state.paths)
  const close = () => droppedFolders.setState({ paths: [] })
  const takeAll = async (purpose: 'open' | 'add') => {
    close()
    for (const path of paths) {
      const taken = await takeFolder(path, purpose)
      if (!taken.ok) tell('error', taken.failure.message)
    }
  }
  const [first] = paths
  return (
    <Dialog
      open={first !== undefined}
      onOpenChange={(next) => next || close()}
      title={
        paths.length === 1
          ? 'Where should this folder open?'
          : `Where should these ${paths.length} folders open?`
      }
      description={first === undefined ? undefined : plainName(first)}
      footer={
        <>
          <Button onClick={close}>Cancel</Button>
          <Button onClick={() => void takeAll('open')}>
            {paths.length === 1 ? 'In a new window' : 'In new windows'}
          </Button>
          <Button onClick={() => void takeAll('add')}>In this window</Button>
        </>
      }
    />
  )
}
