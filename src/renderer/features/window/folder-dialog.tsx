import { type KeyboardEvent, useEffect, useId, useRef, useState } from 'react'
import { useStore } from 'zustand'
import { attempt } from '../../state/calls'
import { client } from '../../state/client'
import { useWindow } from '../../state/window'
import { folderDialog } from '../../state/window-actions'
import { Button } from '../../ui/button'
import { Dialog } from '../../ui/dialog'
import { plainName } from '../../ui/plain-name'
import './folder-dialog.css'

/** Asks for a folder by its path, with completion, where the system has no dialog for us. */
export function FolderDialog() {
  const open = useStore(folderDialog, (state) => state.open)
  return (
    <Dialog
      open={open}
      onOpenChange={(next) => folderDialog.setState({ open: next })}
      title="Open a folder"
      width={600}
      atTop
    >
      {open ? <FolderForm onDone={() => folderDialog.setState({ open: false })} /> : null}
    </Dialog>
  )
}

function FolderForm({ onDone }: { onDone: () => void }) {
  const id = useId()
  const facts = useWindow()
  const separator = facts?.platform === 'win32' ? '\\' : '/'
  const [text, setText] = useState(facts ? facts.homeDirectory + separator : '')
  const [at, setAt] = useState(-1)
  const [problem, setProblem] = useState<string | null>(null)
  const folders = useCompletion(text)
  const field = useRef<HTMLInputElement>(null)

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
    const opened = await attempt('window.openFolder', { path })
    if (opened.ok) onDone()
    else setProblem(opened.failure.message)
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing) return
    const chosen = folders[at]
    if (event.key === 'ArrowDown') setAt(Math.min(folders.length - 1, at + 1))
    else if (event.key === 'ArrowUp') setAt(Math.max(-1, at - 1))
    else if (event.key === 'Tab' && !event.shiftKey && folders.length > 0)
      complete(chosen ?? folders[0] ?? text)
    else if (event.key === 'Enter' && chosen !== undefined) complete(chosen)
    else return
    event.preventDefault()
  }

  return (
    <form
      className="folder-form"
      onSubmit={(event) => {
        event.preventDefault()
        if (text !== '') void openFolder(text)
      }}
    >
      <input
        ref={field}
        className="folder-field mono"
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
        autoFocus
        onChange={(event) => edit(event.target.value)}
        onKeyDown={onKeyDown}
      />
      {problem === null ? null : (
        <p id={`${id}-problem`} className="folder-problem removed" role="alert">
          {problem}
        </p>
      )}
      <ul id={`${id}-list`} role="listbox" aria-label="Folders" className="folder-list">
        {folders.map((folder, index) => (
          <li
            key={folder}
            id={`${id}-${index}`}
            role="option"
            aria-selected={index === at}
            className="folder-option mono"
            onClick={() => complete(folder)}
          >
            <bdi>{plainName(folder)}</bdi>
          </li>
        ))}
      </ul>
      <div className="dialog-footer">
        <Button onClick={onDone}>Cancel</Button>
        <Button type="submit" variant="primary" disabled={text === ''}>
          Open
        </Button>
      </div>
    </form>
  )
}

const none: readonly string[] = []

/** Folders below what is typed; those of an older text stay until the newer ones are here. */
function useCompletion(text: string): readonly string[] {
  const [folders, setFolders] = useState<readonly string[]>(none)
  useEffect(() => {
    const asking = new AbortController()
    client.call('window.completeFolder', { text }, asking.signal).then(
      (found) => setFolders(found.folders),
      // A completion that does not come leaves the field as good as it was.
      () => undefined,
    )
    return () => asking.abort()
  }, [text])
  return folders
}
