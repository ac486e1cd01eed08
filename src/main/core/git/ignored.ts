import { dirname } from 'node:path'
import { findHead } from './branch'
import { type GitProgram, findIgnoredIn } from './work-tree'

/** So many folders are asked about at once. */
const atOnce = 4

/**
 * Which of some files git ignores (real, absolute paths), whatever repositories they lie in. A file that is in the
 * index is not ignored, whatever the patterns say; one outside of any repository is not either. Null where git cannot
 * be asked.
 */
export async function findIgnored(
  paths: readonly string[],
  program: GitProgram = {},
): Promise<ReadonlySet<string> | null> {
  // Asked in each file's own folder, so that it is the right repository that answers, also in a submodule.
  const byFolder = new Map<string, string[]>()
  for (const path of paths) byFolder.set(dirname(path), [...(byFolder.get(dirname(path)) ?? []), path])
  const waiting = [...byFolder]
  const ignored = new Set<string>()
  let isKnown = true
  const work = async () => {
    for (let next = waiting.shift(); next && isKnown; next = waiting.shift()) {
      const [folder, files] = next
      if ((await findHead(folder)) === null) continue
      const found = await findIgnoredIn(folder, files, program)
      if (found === null) isKnown = false
      else for (const path of found) ignored.add(path)
    }
  }
  await Promise.all(Array.from({ length: atOnce }, work))
  return isKnown ? ignored : null
}
