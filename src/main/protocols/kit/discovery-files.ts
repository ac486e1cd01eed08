import { rmSync } from 'node:fs'
import { chmod, lstat, mkdir, readdir, realpath } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { fail, succeed, type Result } from '../../../shared/result'
import { readBytesSync, readText } from '../../core/files/regular-file'
import { processExists } from '../../core/platform/process-tree'
import { replaceFile } from '../../core/platform/replace-file'

/** A file by which programs find a server, or its loss. */
export interface DiscoveryFile {
  folder: string
  name: string
}

/**
 * Writes a discovery file: 0600 in a folder that only its owner may enter (0700 when it is made here), whole at once,
 * because programs read it whenever they like. Fails with `cannot-write`, with `not-private` where others can see
 * the folder or have made it, and with `stopped` where it is not wanted any more when it could be put in place.
 */
export async function writeDiscoveryFile(
  file: DiscoveryFile,
  content: unknown,
  isWanted: () => boolean = () => true,
): Promise<Result<string>> {
  const path = join(file.folder, file.name)
  try {
    await mkdir(file.folder, { recursive: true, mode: 0o700 })
    // It may hold tokens of other programs too; only our own account has business in it.
    await chmod(file.folder, 0o700).catch(() => undefined)
    const doubt = await findStranger(file.folder)
    if (doubt !== null)
      return fail(
        'not-private',
        `${doubt}, so no file was written there. Remove it, then turn the server on again.`,
      )
    if (await replaceFile(path, JSON.stringify(content), { isWanted })) return succeed(path)
    return fail('stopped', 'The server has stopped. Restart it.')
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code ?? 'unknown error'
    return fail('cannot-write', `${path} couldn’t be written (${code}). Check the folder’s permissions.`)
  }
}

/**
 * Why others than this account could see a folder or have made it; null where they have not. Somebody may
 * have made it beforehand, or a folder or link on the way to it, where everybody may: in the system's temporary folder.
 */
async function findStranger(folder: string): Promise<string | null> {
  const own = process.getuid?.()
  if (own === undefined) return null
  const real = await realpath(folder)
  for (const path of new Set([...wayTo(real), ...wayTo(resolve(folder))])) {
    const { uid, mode } = await lstat(path)
    const isForeign = uid !== own && (path === real || (uid !== 0 && (await isShared(dirname(path)))))
    if (isForeign) return `${path} belongs to another user of this machine`
    if (path === real && (mode & 0o077) !== 0)
      return `${path} cannot be closed to other users of this machine`
  }
  return null
}

/** A path and every folder above it. */
function wayTo(path: string): string[] {
  return dirname(path) === path ? [path] : [path, ...wayTo(dirname(path))]
}

/** Whether everybody may make something in a folder. A link has no permissions of its own. */
async function isShared(path: string): Promise<boolean> {
  const found = await lstat(path)
  return found.isDirectory() && (found.mode & 0o002) !== 0
}

/**
 * Removes files in `folder` that an earlier run of this app left behind: those whose name matches, whose content
 * `isOurs`, and whose process is gone. Files of other programs are never touched. Gives the paths removed.
 */
export async function removeStaleFiles(
  folder: string,
  options: { name: RegExp; isOurs: (content: Record<string, unknown>) => boolean },
): Promise<string[]> {
  const names = await readdir(folder).catch(() => [])
  const removed: string[] = []
  for (const name of names.filter((candidate) => options.name.test(candidate))) {
    const path = join(folder, name)
    const text = await readText(path).catch(() => '')
    const content = readJson(text)
    if (content === undefined || !options.isOurs(content)) continue
    const { pid } = content
    if (typeof pid !== 'number' || processExists(pid)) continue
    // Another server may have taken the port, and put its own file there, since it was read.
    if (!removeIfSame(path, text)) continue
    removed.push(path)
  }
  return removed
}

/** At once, so that at least in this process nothing comes between the look and the removal. */
function removeIfSame(path: string, text: string): boolean {
  try {
    if (readBytesSync(path).toString('utf8') !== text) return false
    rmSync(path)
    return true
  } catch {
    return false
  }
}

function readJson(text: string): Record<string, unknown> | undefined {
  try {
    const value = JSON.parse(text) as unknown
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : undefined
  } catch {
    return undefined
  }
}
