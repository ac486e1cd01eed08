import { unlink } from 'node:fs/promises'
import { type Done, fail, succeed } from '../../../shared/result'
import { hashFile } from './read-file'

/** Removes a file if its hash (see `hashContent`) is still `expected`; otherwise does nothing. */
export async function removeIfSame(path: string, expected: string): Promise<Done> {
  const hash = await hashFile(path)
  if (!hash.ok) return hash
  if (hash.value !== expected) {
    return fail('changed', 'The file has changed. Check it, then decide.')
  }
  try {
    await unlink(path)
    return succeed({})
  } catch {
    return fail('failed', 'The file couldn’t be removed. Check its permissions and try again.')
  }
}
