import type { WindowState } from '../../../shared/contract/window'
import { client } from '../host/client'
import { mergeDelta, mirrorTopic, useMirror } from '../host/mirror'

/** The window's own facts: folders, platform, branch. */
export const windowMirror = mirrorTopic(client, 'window', {}, mergeDelta<WindowState>)

/** The window's facts, followed; null until the host has told them. */
export function useWindow(): WindowState | null {
  return useMirror(windowMirror, (state) => state)
}
