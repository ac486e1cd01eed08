import { accessSync, constants, statSync } from 'node:fs'

/** A sentence about the first path that isn't a folder one can open; null when all are. */
export function complainAboutFolders(folders: readonly string[]): string | null {
  return folders.map(complain).find((complaint) => complaint !== null) ?? null
}

/**
 * What a start opens, a set of folders per window, at least one: the folders that were named, else those of the last
 * windows that still exist, else no folder.
 */
export function foldersToOpen(
  named: readonly string[],
  last: readonly (readonly string[])[],
): (readonly string[])[] {
  if (named.length > 0) return [named]
  const there = last.filter((folders) => complainAboutFolders(folders) === null)
  return there.length > 0 ? there : [[]]
}

function complain(folder: string): string | null {
  try {
    if (!statSync(folder).isDirectory()) return `${folder} isn’t a folder.`
  } catch {
    // Not there, a loop of links, a parent that is a file, a name that is too long: all the same to the person.
    return `The folder ${folder} doesn’t exist.`
  }
  try {
    accessSync(folder, constants.R_OK | constants.X_OK)
    return null
  } catch {
    return `The folder ${folder} can’t be read.`
  }
}
