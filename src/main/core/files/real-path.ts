import { readlink, realpath } from 'node:fs/promises'
import { basename, dirname, join, resolve } from 'node:path'
import { systemCode } from './file-failure'

/** So many dangling links are followed before they count as a circle. */
const mostLinks = 40

/**
 * The path with every symbolic link resolved, also where the file, or folders above it, do not exist yet: what is
 * there is resolved, a dangling link is followed to where it leads. Two paths of one file give the same answer.
 * Throws what the system throws for anything but a missing file (ELOOP, EACCES).
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

/** Whether a path that was resolved once leads to no other file today; false also where the system does not tell. */
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
