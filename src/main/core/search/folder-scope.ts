import { sep } from 'node:path'

/** The folders that lie inside this one. They are searched separately. */
export function nestedFolders(folder: string, folders: readonly string[]): ReadonlySet<string> {
  return new Set(folders.filter((other) => other !== folder && other.startsWith(withSeparator(folder))))
}

/** The innermost of some folders that contains a path. */
export function folderOf(path: string, folders: readonly string[]): string | undefined {
  return folders
    .filter((folder) => path.startsWith(withSeparator(folder)))
    .toSorted((one, other) => other.length - one.length)[0]
}

/** A path in the form that globs match: relative to its folder, with `/`. */
export function withinFolder(folder: string, path: string): string {
  return path.slice(withSeparator(folder).length).split(sep).join('/')
}

function withSeparator(folder: string): string {
  return folder.endsWith(sep) ? folder : folder + sep
}
