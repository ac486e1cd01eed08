import { relative, sep } from 'node:path'
import type { GlobFilter } from './globs'
import { isIgnored, rulesBelow, rulesOfRoot } from './ignored-files'

/** Of some folders those that lie in another one of them are walked by themselves: told for each folder. */
export function nestedFolders(folder: string, folders: readonly string[]): ReadonlySet<string> {
  return new Set(folders.filter((other) => other !== folder && other.startsWith(withSeparator(folder))))
}

/** The folder of some that a path belongs to: the innermost. */
export function folderOf(path: string, folders: readonly string[]): string | undefined {
  return folders
    .filter((folder) => path.startsWith(withSeparator(folder)))
    .toSorted((one, other) => other.length - one.length)[0]
}

/** A path as globs see it: relative to its folder, with `/`. */
export function withinFolder(folder: string, path: string): string {
  return path.slice(withSeparator(folder).length).split(sep).join('/')
}

/** Whether a search of a folder would look at a file in it, whether or not it is there. */
export function isInScope(folder: string, path: string, globs: GlobFilter, withIgnored: boolean): boolean {
  const parts = relative(folder, path).split(sep)
  if (parts.includes('.git') || !globs.has(parts.join('/'))) return false
  if (withIgnored) return true
  let rules = rulesOfRoot(folder)
  let at = folder
  for (const [depth, part] of parts.entries()) {
    at = withSeparator(at) + part
    const isFolder = depth < parts.length - 1
    if (isIgnored(rules, at, isFolder)) return false
    if (isFolder) rules = rulesBelow(rules, at)
  }
  return true
}

function withSeparator(folder: string): string {
  return folder.endsWith(sep) ? folder : folder + sep
}
