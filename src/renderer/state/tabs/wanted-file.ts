import { createStore } from 'zustand/vanilla'
import { ask } from '../host/calls'
import { frameLayout } from '../window/frame-layout'
import type { Calls } from '../../../shared/contract/contract'

/**
 * The file whose editor should take the focus as soon as it can; the editor clears it. It holds for a short time only:
 * if the file is shown much later, perhaps by an agent, nobody is waiting for it any more.
 */
export const wantedFocus = createStore<{ path: string | null; since: number }>()(() => ({
  path: null,
  since: 0,
}))

/** How long the request for the focus holds, in milliseconds. */
const patience = 3000

/** Requests the focus for a file's editor, once its tab is shown. */
export function wantFocus(path: string): void {
  wantedFocus.setState({ path, since: Date.now() })
}

/** Takes the request if it is for this file, and gives whether it still held. */
export function takeWantedFocus(path: string): boolean {
  const { path: wanted, since } = wantedFocus.getState()
  if (wanted !== path) return false
  wantedFocus.setState({ path: null })
  return Date.now() - since < patience
}

/** Shows a file in a tab. With `focus` its editor takes the focus when it is ready. */
export async function openFile(
  path: string,
  options: { preview: boolean; focus: boolean } & Pick<Calls['tabs.openFile']['params'], 'at' | 'until'>,
): Promise<void> {
  if (options.focus) wantFocus(path)
  const { at, until } = options
  const opened = await ask('tabs.openFile', { path, preview: options.preview, at, until })
  // In a narrow window it replaces the list that it was chosen from.
  if (opened && frameLayout.narrowView.get() === 'side') frameLayout.narrowView.set('main')
  if (wantedFocus.getState().path !== path) return
  // The time that a busy host took doesn't count.
  if (opened) wantFocus(path)
  else wantedFocus.setState({ path: null })
}
