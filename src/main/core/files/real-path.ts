import { readlink, realpath } from 'node:fs/promises'
import { basename, dirname, join, resolve } from 'node:path'
import { systemCode } from './file-failure'

/** How many dangling links are followed before they count as a loop. */
const mostLinks = 40

/**
 * The path with every symbolic link resolved, even if the file, or folders above it, don't exist yet: what exists is
 * resolved, and a dangling link is followed to its target. Two paths of one file give the same result. Throws the
 * system's error for anything but a missing file (ELOOP, EACCES).
 */
export async function resolveRealPath(path: string): Promise<string> {
  let current = resolve(path)
  for (let links = 0; links < mostLinks; links++) {
    const found = await realPathOf(current)
    if (found !== undefined) return found
    const target = await linkTarget(current)
    if (target !== undefined) {
      current = resolve(dirname(current), target)
      continue
    }
    const parent = dirname(current)
    return parent === current ? current : join(await resolveRealPath(parent), basename(current))
  }
  throw Object.assign(new Error('too many symbolic links'), { code: 'ELOOP' })
}

/** Whether a resolved path still leads to the same place; false also if the system doesn't tell. */
export async function isStillReal(realPath: string): Promise<boolean> {
  return (await resolveRealPath(realPath).catch(() => null)) === realPath
}

async function realPathOf(path: string): Promise<string | undefined> {
  try {
    return await realpath(path)
  } catch (error) {
    if (systemCode(error) === 'ENOENT' || systemCode(error) === 'ENOTDIR') return undefined
    throw error
  }
}

async function linkTarget(path: string): Promise<string | undefined> {
  try {
    return await readlink(path)
  } catch {
    return undefined
  }
}
