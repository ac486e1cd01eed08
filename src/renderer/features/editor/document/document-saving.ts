import { ask } from '../../../state/host/calls'
import { tell } from '../../../state/window/notices-mirror'
import { flushDocument } from '../../../state/tabs/open-documents'
import { announce } from '../../../ui/browser/live-region'

/** Brings what is unsent over and has the host write the file. Tells why when it cannot. */
export async function saveDocument(path: string): Promise<boolean> {
  const flushed = await flushDocument(path)
  if (!flushed) {
    tell('error', 'Not saved: Greenlight isn’t connected. Your text is kept here; try again soon.')
    return false
  }
  const saved = await ask('documents.save', { path })
  if (saved) announce(`Saved ${path.split(/[\\/]/).at(-1) ?? path}`)
  return saved !== undefined
}
