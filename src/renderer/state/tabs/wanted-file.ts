import { ask } from '../host/calls'
import { FocusRequest } from './focus-request'
import { showMiddle } from '../window/frame-layout'
import type { Calls } from '../../../shared/contract/contract'

/** The path of the file whose editor should take the focus as soon as it can; the editor takes the request. */
export const wantedFile = new FocusRequest<string>()

/** Shows a file in a tab. With `focus` its editor takes the focus when it is ready. */
export async function openFile(
  path: string,
  options: { preview: boolean; focus: boolean } & Pick<Calls['tabs.openFile']['params'], 'at' | 'until'>,
): Promise<void> {
  if (options.focus) wantedFile.make(path)
  const { at, until } = options
  const opened = await ask('tabs.openFile', { path, preview: options.preview, at, until })
  if (opened) showMiddle()
  if (wantedFile.store.getState().wanted !== path) return
  // The time that a busy host took doesn't count.
  if (opened) wantedFile.make(path)
  else wantedFile.forget()
}
