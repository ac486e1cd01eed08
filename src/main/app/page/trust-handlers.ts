import { fail } from '../../../shared/result'
import type { FolderTrust } from '../../core/trust/folder-trust'
import type { WindowFolders } from '../window-folders'
import { type PageHandlers, sendWhole } from './page-handlers'

const notHere = fail('absent', 'Only a folder of this window can be trusted. Open it first.')

/** The person's word on what belongs to a folder, and what they have said so far. */
export function trustHandlers(
  trust: FolderTrust,
  folders: WindowFolders,
): PageHandlers<'trust', 'trustedFolders'> {
  return {
    calls: {
      'trust.answer': async ({ folder, mayRun }) =>
        mayRun && !folders.paths.includes(folder) ? notHere : trust.answer(folder, mayRun),
    },
    topics: { trustedFolders: sendWhole(() => ({ folders: [...trust.trusted] }), trust.onChange) },
  }
}
