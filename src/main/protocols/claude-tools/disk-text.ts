import { fail, type Result, succeed } from '../../../shared/result'
import { restoreText } from '../../../shared/text/text-facts'
import { readFile } from '../../core/files/read-file'
import { type Fingerprint, fingerprintOf } from '../../core/review/fingerprint'

/** What a path holds: its raw text, or null if there is no file. Fails for what isn't a text. */
export async function readDiskText(
  path: string,
): Promise<Result<{ text: string | null; fingerprint: Fingerprint }>> {
  const disk = await readFile(path)
  if (!disk.ok) return disk
  const fingerprint = fingerprintOf(disk.value)
  if (disk.value.kind === 'absent') return succeed({ text: null, fingerprint })
  const { content } = disk.value
  if (content.kind === 'binary')
    return fail('binary', `${path} isn’t a text file. Look at it in another program.`)
  return succeed({ text: restoreText(content.text, content.facts), fingerprint })
}
