import { basename, dirname, relative } from 'node:path'
import type { WorkspaceFolder } from '../../shared/contract/window'
import { isWithin } from '../../shared/text/path-name'
import type { Place } from '../core/review/review'

/** A key for a set of folders, whatever their order. */
export function nameOfSet(folders: readonly string[]): string {
  return [...folders].sort().join('\0')
}

/** The folders of a window with names that tell them apart: where two are alike, with the folder above. */
export function nameFolders(paths: readonly string[]): WorkspaceFolder[] {
  return paths.map((path) => {
    const name = basename(path) || path
    const isTaken = paths.some((other) => other !== path && basename(other) === name)
    return { path, name: isTaken ? `${name} (${basename(dirname(path))})` : name }
  })
}

/** How a window shows a file's folder: relative to the workspace; outside of it whole, with ~ for home. */
export function describePlace(
  folders: readonly WorkspaceFolder[],
  path: string,
  home: string,
): Omit<Place, 'window'> {
  const holding = folders
    .filter((folder) => isWithin(folder.path, path))
    .sort((one, other) => other.path.length - one.path.length)[0]
  if (!holding) {
    const folder = dirname(path)
    return { folder: isWithin(home, folder) ? `~${folder.slice(home.length)}` : folder, isOutside: true }
  }
  const within = dirname(relative(holding.path, path))
  const parts = [folders.length > 1 ? holding.name : '', within === '.' ? '' : within]
  return { folder: parts.filter((part) => part !== '').join('/'), isOutside: false }
}
