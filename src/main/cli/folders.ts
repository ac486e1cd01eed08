import { accessSync, constants, statSync } from 'node:fs'

/** A sentence about the first path that is no folder one can open, or null when all are. */
export function complainAboutFolders(folders: readonly string[]): string | null {
  for (const folder of folders) {
    const complaint = complain(folder)
    if (complaint) return complaint
  }
  return null
}

function complain(folder: string): string | null {
  try {
    if (!statSync(folder).isDirectory()) return `${folder} is not a folder.`
  } catch {
    // Not there, a loop of links, a parent that is a file, a name that is too long: all the same to the person.
    return `There is no folder ${folder}.`
  }
  try {
    accessSync(folder, constants.R_OK | constants.X_OK)
    return null
  } catch {
    return `The folder ${folder} cannot be read.`
  }
}
