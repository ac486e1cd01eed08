import { createStore } from 'zustand/vanilla'
import { ask } from '../host/calls'

/** Whether the list of trusted folders is open. */
export const trustDialog = createStore<{ open: boolean }>()(() => ({ open: false }))

/** Says whether what belongs to a folder may run. Reports where that can't be kept. */
export function answerTrust(folder: string, mayRun: boolean): void {
  void ask('trust.answer', { folder, mayRun })
}
