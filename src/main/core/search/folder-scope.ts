import { sep } from 'node:path'

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

function withSeparator(folder: string): string {
  return folder.endsWith(sep) ? folder : folder + sep
}
