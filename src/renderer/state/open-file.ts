import { createStore } from 'zustand/vanilla'
import { ask } from './calls'
import { frameLayout } from './frame-layout'
import type { Calls } from '../../shared/contract/contract'

/** The file whose editor shall have the focus as soon as it can; the editor clears it. */
export const wantedFocus = createStore<{ path: string | null }>()(() => ({ path: null }))

/** Shows a file in a tab. With `focus` the editor takes the focus when it stands. */
export async function openFile(
  path: string,
  options: { preview: boolean; focus: boolean; at?: Calls['tabs.openFile']['params']['at'] },
): Promise<void> {
  if (options.focus) wantedFocus.setState({ path })
  const at = options.at ? { at: options.at } : {}
  const opened = await ask('tabs.openFile', { path, preview: options.preview, ...at })
  // In a narrow window the list that it was chosen from gives way to it.
  if (opened && frameLayout.narrowView.get() === 'side') frameLayout.narrowView.set('main')
  if (!opened && wantedFocus.getState().path === path) wantedFocus.setState({ path: null })
}
