import { randomBytes } from 'node:crypto'
import { chmod, mkdir, open, readdir, readFile, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { fail, succeed, type Result } from '../../../shared/result'
import { processExists } from '../../core/platform/process-tree'

/** A file by which programs find a server, or its loss. */
export interface DiscoveryFile {
  folder: string
  name: string
}

/**
 * Writes a discovery file: 0600 in a folder that only its owner may enter (0700 when it is made here), whole at once,
 * because programs read it whenever they like. Fails with `cannot-write`.
 */
export async function writeDiscoveryFile(file: DiscoveryFile, content: unknown): Promise<Result<string>> {
  const path = join(file.folder, file.name)
  const temporary = join(file.folder, `.${file.name}.${randomBytes(6).toString('hex')}.tmp`)
  try {
    await mkdir(file.folder, { recursive: true, mode: 0o700 })
    // It may hold tokens of other programs too; only our own account has business in it.
    await chmod(file.folder, 0o700).catch(() => undefined)
    const handle = await open(temporary, 'wx', 0o600)
    try {
      await handle.writeFile(JSON.stringify(content))
    } finally {
      await handle.close()
    }
    await rename(temporary, path)
    return succeed(path)
  } catch (error) {
    await rm(temporary, { force: true }).catch(() => undefined)
    const code = (error as NodeJS.ErrnoException).code ?? 'unknown error'
    return fail('cannot-write', `${path} could not be written (${code}). Check the folder's permissions.`)
  }
}

/** Removes a discovery file; one that is gone already, or that cannot be removed, is left at that. */
export async function removeDiscoveryFile(path: string): Promise<void> {
  await rm(path, { force: true }).catch(() => undefined)
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
    const content = await readJson(path)
    if (content === undefined || !options.isOurs(content)) continue
    const { pid } = content
    if (typeof pid !== 'number' || processExists(pid)) continue
    await removeDiscoveryFile(path)
    removed.push(path)
  }
  return removed
}

async function readJson(path: string): Promise<Record<string, unknown> | undefined> {
  try {
    const value = JSON.parse(await readFile(path, 'utf8')) as unknown
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : undefined
  } catch {
    return undefined
  }
}
