import { dirname } from 'node:path'
import { findHead } from './branch'
import { type GitProgram, findIgnoredIn } from './work-tree'

/** How many folders are asked about in parallel. */
const atOnce = 4

/**
 * Which of some files (real, absolute paths) git ignores, whatever repositories they are in. A file in the index is not
 * ignored, whatever the patterns say, nor is one outside of any repository. Null if git can't be asked.
 */
export async function findIgnored(
  paths: readonly string[],
  program: GitProgram = {},
): Promise<ReadonlySet<string> | null> {
  // Asked in each file's own folder, so that the right repository answers, even in a submodule.
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
