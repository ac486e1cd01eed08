import { rmSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { objectOf, parseJson, type Json } from '../../../shared/json'
import { readBytesSync, readText } from '../../core/files/regular-file'
import { processExists } from '../../core/platform/process-tree'

/**
 * Removes the discovery files in `folder` that an earlier run of this app left behind: those whose name matches, whose
 * content `isOurs`, and whose process is dead. Files of other programs are never touched. Gives the removed paths.
 */
export async function removeStaleFiles(
  folder: string,
  options: { name: RegExp; isOurs: (content: Json) => boolean },
): Promise<string[]> {
  const names = await readdir(folder).catch(() => [])
  const removed: string[] = []
  for (const name of names.filter((candidate) => options.name.test(candidate))) {
    const path = join(folder, name)
    const text = await readText(path).catch(() => '')
    const content = objectOf(parseJson(text))
    if (content === undefined || !options.isOurs(content)) continue
    const { pid } = content
    if (typeof pid !== 'number' || processExists(pid)) continue
    // Another server may have taken the port, and put its own file there, since it was read.
    if (removeIfSame(path, text)) removed.push(path)
  }
  return removed
}

/** Synchronous, so that in this process nothing comes between the check and the removal. */
function removeIfSame(path: string, text: string): boolean {
  try {
    if (readBytesSync(path).toString('utf8') !== text) return false
    rmSync(path)
    return true
  } catch {
    return false
  }
}
