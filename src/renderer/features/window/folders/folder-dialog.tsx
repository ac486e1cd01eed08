import { type KeyboardEvent, useEffect, useId, useRef, useState } from 'react'
import { useStore } from 'zustand'
import { client } from '../../../state/host/client'
import { useWindow } from '../../../state/window/window-mirror'
import { type FolderPurpose, folderDialog, takeFolder } from '../../../state/window/window-actions'
import { Button } from '../../../ui/controls/button'
import { Dialog } from '../../../ui/overlays/dialog'
import { plainName } from '../../../ui/wording/plain-name'
import './folder-dialog.css'

const titles = { open: 'Open a folder', add: 'Add a folder to this window' }

/** Asks for a folder's path, with completion, where there is no system dialog. */
export function FolderDialog() {
  const { open, purpose } = useStore(folderDialog)
  return (
    <Dialog
      open={open}
      onOpenChange={(next) => folderDialog.setState({ open: next })}
      title={titles[purpose]}
      width={600}
      atTop
    >
      {open ? <FolderForm purpose={purpose} onDone={() => folderDialog.setState({ open: false })} /> : null}
    </Dialog>
  )
}

function FolderForm({ purpose, onDone }: { purpose: FolderPurpose; onDone: () => void }) {
  const id = useId()
  const facts = useWindow()
  const separator = facts?.platform === 'win32' ? '\\' : '/'
  const [start] = useState(facts ? facts.homeDirectory + separator : '')
  const [text, setText] = useState(start)
  const [at, setAt] = useState(-1)
  const [problem, setProblem] = useState<string | null>(null)
  const completed = useCompletion(text)
  // Until something is typed, recent folders are offered.
  const present = new Set(facts?.folders.map((folder) => folder.path))
  const recent = (facts?.recentFolders ?? none).filter((path) => !present.has(path))
  const isRecent = text === start && recent.length > 0
  const folders = isRecent ? recent : completed
  const field = useRef<HTMLInputElement>(null)
  // The dialog would select the field's text, and the first letter would replace it.
  useEffect(() => field.current?.focus(), [])

  const edit = (next: string) => {
    setText(next)
    setAt(-1)
    setProblem(null)
  }
  const complete = (folder: string) => {
    edit(folder.endsWith(separator) ? folder : folder + separator)
    field.current?.focus()
  }
  const openFolder = async (path: string) => {
    const opened = await takeFolder(path, purpose)
    if (opened.ok) onDone()
    else setProblem(opened.failure.message)
  }
  /** A recent folder is opened; another one may only be on the way to the one wanted. */
  const take = (folder: string) => {
    if (isRecent) void openFolder(folder)
    else complete(folder)
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing) return
    const chosen = folders[at]
    if (event.key === 'ArrowDown') setAt(Math.min(folders.length - 1, at + 1))
    else if (event.key === 'ArrowUp') setAt(Math.max(-1, at - 1))
    else if (event.key === 'Tab' && !event.shiftKey && folders.length > 0)
      complete(chosen ?? folders[0] ?? text)
    else if (event.key === 'Enter' && chosen !== undefined) take(chosen)
    else return
    event.preventDefault()
  }

  return (
    <form
      className="folder-form column"
      onSubmit={(event) => {
        event.preventDefault()
        if (text !== '') void openFolder(text)
      }}
    >
      <input
        ref={field}
        className="field folder-field mono"
        value={text}
        aria-label="Path of the folder"
        role="combobox"
        aria-expanded={folders.length > 0}
        aria-controls={`${id}-list`}
        aria-activedescendant={at >= 0 ? `${id}-${at}` : undefined}
        aria-autocomplete="list"
        aria-invalid={problem !== null}
        aria-describedby={problem === null ? undefined : `${id}-problem`}
        spellCheck={false}
        autoComplete="off"
        onChange={(event) => edit(event.target.value)}
        onKeyDown={onKeyDown}
      />
      {problem === null ? null : (
        <p id={`${id}-problem`} className="folder-problem removed" role="alert">
          {problem}
        </p>
      )}
      <h3 className="folder-heading aside">{isRecent ? 'Recent' : 'Folders'}</h3>
      <div
        id={`${id}-list`}
        role="listbox"
        aria-label={isRecent ? 'Recent folders' : 'Folders'}
        className="folder-list"
      >
        {folders.map((folder, index) => (
          <button
            key={folder}
            id={`${id}-${index}`}
            type="button"
            role="option"
            tabIndex={-1}
            aria-selected={index === at}
            className="folder-option mono"
            onClick={() => take(folder)}
          >
            <bdi>{plainName(folder)}</bdi>
          </button>
        ))}
      </div>
      <div className="dialog-footer">
        <Button onClick={onDone}>Cancel</Button>
        <Button type="submit" variant="primary" disabled={text === ''}>
          {purpose === 'open' ? 'Open' : 'Add'}
        </Button>
      </div>
    </form>
  )
}

const none: readonly string[] = []

/** The folders that complete what is typed; the old ones stay until the new ones are here. */
function useCompletion(text: string): readonly string[] {
  const [folders, setFolders] = useState<readonly string[]>(none)
  useEffect(() => {
    const asking = new AbortController()
    client.call('window.completeFolder', { text }, asking.signal).then(
      (found) => setFolders(found.folders),
      // Without completion the field works all the same.
      () => undefined,
    )
    return () => asking.abort()
  }, [text])
  return folders
}
