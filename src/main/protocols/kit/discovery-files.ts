import { rmSync } from 'node:fs'
import { chmod, lstat, mkdir, readdir, realpath } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { objectOf, parseJson, type Json } from '../../../shared/json'
import type { Disposable, DisposableStack, Listen } from '../../../shared/lifetime'
import { fail, succeed, type Failure, type Result } from '../../../shared/result'
import { readBytesSync, readText } from '../../core/files/regular-file'
import { replaceFile } from '../../core/platform/atomic-replace'
import { processExists } from '../../core/platform/process-tree'

/** A file that programs find a server by. */
interface DiscoveryFile {
  folder: string
  name: string
}

/** A discovery file and its content, which is written as JSON. */
export interface FileToWrite {
  file: DiscoveryFile
  content: unknown
}

/**
 * The discovery files of one server: written in the order of the calls, and removed at once when the server stops.
 * Files that a dead process left behind are removed by `removeStaleFiles`.
 */
export class DiscoveryFiles implements Disposable {
  readonly #written = new Set<string>()
  #last: Promise<unknown> = Promise.resolve()
  #isOver = false

  /** The paths of the files that exist, in the order of their first write. */
  get paths(): string[] {
    return [...this.#written]
  }

  /**
   * Writes these files once earlier writes are done. Gives what went wrong with each of them, `undefined` for none.
   * Fails with `stopped` once the files are removed.
   */
  write(files: readonly FileToWrite[]): Promise<Result<(Failure | undefined)[]>> {
    const next = this.#last.then(() => this.#writeAll(files))
    this.#last = next
    return next
  }

  /** Removes the files at once, even if the process ends now. A write under way puts none in place. */
  dispose(): void {
    this.#isOver = true
    for (const path of this.#written) {
      try {
        rmSync(path, { force: true })
      } catch {
        // The next start removes it, since its process is then gone.
      }
    }
    this.#written.clear()
  }

  async #writeAll(files: readonly FileToWrite[]): Promise<Result<(Failure | undefined)[]>> {
    const failures: (Failure | undefined)[] = []
    for (const { file, content } of files) {
      if (this.#isOver) return stopped
      const path = join(file.folder, file.name)
      const isNew = !this.#written.has(path)
      const written = await writeDiscoveryFile(file, content, () => {
        if (this.#isOver) return false
        this.#written.add(path)
        return true
      })
      failures.push(written.ok ? undefined : written.failure)
      if (written.ok) continue
      if (written.failure.code === 'stopped') return written
      if (isNew) this.#written.delete(path)
    }
    return succeed(failures)
  }
}

/**
 * Writes a server's files now, and again whenever `onChange` tells, until `owned` is disposed of; what then goes wrong
 * goes to `onProblem`.
 */
export function keepWritten(
  write: () => Promise<Result<void>>,
  onChange: Listen<void>,
  owned: DisposableStack,
  onProblem?: (message: string) => void,
): Promise<Result<void>> {
  // Before the first write: what changes meanwhile is written after it.
  owned.add(
    onChange(() => {
      void write().then((again) => {
        if (!again.ok && again.failure.code !== 'stopped') onProblem?.(again.failure.message)
      })
    }),
  )
  return write()
}

const stopped = fail('stopped', 'The server has stopped. Restart it.')

/**
 * Writes a discovery file: 0600 in a folder that only its owner may enter (0700 if it is made here), in one step,
 * because programs read it at any time. Fails with `cannot-write`, with `not-private` if others can see the folder or
 * have made it, and with `stopped` if `isWanted` says no when it could be put in place.
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
    return (await replaceFile(path, JSON.stringify(content), { isWanted })) ? succeed(path) : stopped
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code ?? 'unknown error'
    return fail('cannot-write', `${path} couldn’t be written (${code}). Check the folder’s permissions.`)
  }
}

/**
 * Removes the discovery files in `folder` that an earlier run of this app left behind: those whose name matches, whose
 * content `isOurs`, and whose process is dead. Files of other programs are never touched. Gives the removed paths.
 */
export async function removeStaleFiles(
  folder: string,
  options: { name: RegExp; isOurs: (content: Json) => boolean },
): Promise<string[]> {
  const names = await readdir(folder).catch(() => [])
  const removed: string[] = []
  for (const name of names.filter((candidate) => options.name.test(candidate))) {
    const path = join(folder, name)
    const text = await readText(path).catch(() => '')
    const content = objectOf(parseJson(text))
    if (content === undefined || !options.isOurs(content)) continue
    const { pid } = content
    if (typeof pid !== 'number' || processExists(pid)) continue
    // Another server may have taken the port, and put its own file there, since it was read.
    if (removeIfSame(path, text)) removed.push(path)
  }
  return removed
}

/** Synchronous, so that in this process nothing comes between the check and the removal. */
function removeIfSame(path: string, text: string): boolean {
  try {
    if (readBytesSync(path).toString('utf8') !== text) return false
    rmSync(path)
    return true
  } catch {
    return false
  }
}

/**
 * Why others than this account could see a folder or have made it; null if they can't. In the system's temporary
 * folder anybody may have made it, or a folder or link on the way to it, beforehand.
 */
async function findStranger(folder: string): Promise<string | null> {
  const own = process.getuid?.()
  if (own === undefined) return null
  const real = await realpath(folder)
  for (const path of new Set([...withParents(real), ...withParents(resolve(folder))])) {
    const { uid, mode } = await lstat(path)
    const isForeign = uid !== own && (path === real || (uid !== 0 && (await isShared(dirname(path)))))
    if (isForeign) return `${path} belongs to another user of this machine`
    if (path === real && (mode & 0o077) !== 0)
      return `${path} cannot be closed to other users of this machine`
  }
  return null
}

function withParents(path: string): string[] {
  return dirname(path) === path ? [path] : [path, ...withParents(dirname(path))]
}

/** Whether everybody may create something in a folder. A link has no permissions of its own. */
async function isShared(path: string): Promise<boolean> {
  const found = await lstat(path)
  return found.isDirectory() && (found.mode & 0o002) !== 0
}
