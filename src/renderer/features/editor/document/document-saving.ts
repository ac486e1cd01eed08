import { nameOfPath } from '../../../../shared/text/path-name'
import { ask } from '../../../state/host/calls'
import { tell } from '../../../state/window/notices-mirror'
import { flushDocument } from '../../../state/tabs/open-documents'
import { announce } from '../../../ui/browser/live-region'

/** Sends the host what it doesn't have yet and has it write the file. Gives whether it was saved, and tells why not. */
export async function saveDocument(path: string): Promise<boolean> {
  const flushed = await flushDocument(path)
  if (!flushed) {
    tell('error', 'Not saved: Greenlight isn’t connected. Your text is kept here; try again soon.')
    return false
  }
  const saved = await ask('documents.save', { path })
  if (saved) announce(`Saved ${nameOfPath(path)}`)
  return saved !== undefined
}
