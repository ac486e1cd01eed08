import { readdirSync } from 'node:fs'
import { sep } from 'node:path'
import { isTemporaryName } from '../files/atomic-write'
import { type GlobFilter } from './globs'
import { type IgnoreRules, isIgnored, rulesBelow, rulesOfRoot } from './ignored-files'

/** What is walked: a folder, which of its files, and folders in it that are walked by themselves. */
export interface Walk {
  folder: string
  globs: GlobFilter | null
  withIgnored: boolean
  skip: ReadonlySet<string>
}

/**
 * Every regular file of a folder, one after another: without git's own folder, without what .gitignore names unless
 * asked for, symbolic links not followed. `refused` hears of each folder that cannot be listed. Blocks its thread.
 */
export function* walkFiles(
  { folder, globs, withIgnored, skip }: Walk,
  refused: () => void,
): Generator<string> {
  interface Level {
    path: string
    within: string
    rules: IgnoreRules | null
  }
  const waiting: Level[] = [{ path: folder, within: '', rules: withIgnored ? null : rulesOfRoot(folder) }]
  for (let level = waiting.pop(); level; level = waiting.pop()) {
    const folders: Level[] = []
    for (const entry of entriesOf(level.path, refused)) {
      const path = level.path.endsWith(sep) ? level.path + entry.name : level.path + sep + entry.name
      const within = level.within === '' ? entry.name : `${level.within}/${entry.name}`
      if (entry.name === '.git' || skip.has(path)) continue
      if (!entry.isDirectory() && !entry.isFile()) continue
      if (level.rules !== null && isIgnored(level.rules, path, entry.isDirectory())) continue
      if (entry.isDirectory()) {
        const rules = level.rules === null ? null : rulesBelow(level.rules, path)
        folders.push({ path, within, rules })
      } else if (!isTemporaryName(entry.name) && (globs === null || globs.has(within))) yield path
    }
    waiting.push(...folders.reverse())
  }
}

function entriesOf(path: string, refused: () => void) {
  try {
    return readdirSync(path, { withFileTypes: true }).sort((one, other) => (one.name < other.name ? -1 : 1))
  } catch {
    refused()
    return []
  }
}
