import { createStore } from 'zustand/vanilla'
import { ask, attempt } from './calls'
import { tell } from './notices'

/** Whether the page's own dialog for a folder is open; there where the system has none for us. */
export const folderDialog = createStore<{ open: boolean }>()(() => ({ open: false }))

/** Lets the person choose a folder and opens it: by the system's dialog, else by the page's own. */
export async function chooseFolder(): Promise<void> {
  const chosen = await attempt('window.chooseFolder', {})
  if (chosen.ok) {
    if (chosen.value.path !== null) await ask('window.openFolder', { path: chosen.value.path })
  } else if (chosen.failure.code === 'unavailable') folderDialog.setState({ open: true })
  else tell('error', chosen.failure.message)
}
