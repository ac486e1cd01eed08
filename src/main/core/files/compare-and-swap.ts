import { succeed, type Result } from '../../../shared/result'
import { writeFileAtomically, type WriteOptions } from './write-file'
import { hashContent } from './content-hash'
import type { FileFailure } from './file-failure'
import { hashFile, readFile, type DiskFile } from './read-file'
import { resolveRealPath } from './real-path'

/** Why a file wasn't written: it doesn't hold what was expected (`found` is what it holds), or the system refused. */
export type SwapFailure = FileFailure | { code: 'changed'; message: string; found: DiskFile }

export interface Swapped {
  realPath: string
  /** Of what the file holds now. */
  hash: string
}

/**
 * Overwrites files only if they hold what was expected. Writes to one file wait for each other. Another program's write
 * is noticed up to the rename; no system call closes that last gap.
 */
export class FileSwapper {
  #queues = new Map<string, Promise<unknown>>()
  readonly #backupFolder: string | undefined

  /** `backupFolder`: where copies are kept while files are written in place; see `WriteOptions`. */
  constructor(backupFolder?: string) {
    this.#backupFolder = backupFolder
  }

  /**
   * Writes `bytes` if the file's hash is `expected` (null: if there is no file). Otherwise writes nothing, and the
   * failure `changed` contains what is there.
   */
  async swap(
    path: string,
    expected: string | null,
    bytes: Uint8Array,
    options: Omit<WriteOptions, 'guard' | 'exclusive'> = {},
  ): Promise<Result<Swapped, SwapFailure>> {
    const backupFolder = this.#backupFolder
    const kept = { keepsAttributes: true, ...(backupFolder === undefined ? {} : { backupFolder }) }
    // If it can't be resolved, the write itself will report what is wrong with the path.
    const queue = await resolveRealPath(path).catch(() => path)
    return this.#inOrder(queue, () => swap(path, expected, bytes, { ...kept, ...options }))
  }

  async #inOrder<T>(name: string, task: () => Promise<T>): Promise<T> {
    const before = this.#queues.get(name) ?? Promise.resolve()
    const own = before.then(task, task)
    this.#queues.set(name, own)
    try {
      return await own
    } finally {
      if (this.#queues.get(name) === own) this.#queues.delete(name)
    }
  }
}

async function swap(
  path: string,
  expected: string | null,
  bytes: Uint8Array,
  options: WriteOptions,
): Promise<Result<Swapped, SwapFailure>> {
  let changed: DiskFile | undefined
  const guard = async (): Promise<Result<unknown, FileFailure>> => {
    const hash = await hashFile(path)
    if (!hash.ok) return hash
    if (hash.value === expected) return succeed(undefined)
    const found = await readFile(path)
    if (!found.ok) return found
    changed = found.value
    return { ok: false, failure: { code: 'failed', message: '' } }
  }
  // Also checked first, so that nothing is prepared, and no folder made, for a write that won't happen.
  const before = await guard()
  const written = before.ok
    ? await writeFileAtomically(path, bytes, { ...options, guard, exclusive: expected === null })
    : before
  // A file that appeared after the last check was refused by the exclusive write.
  if (!written.ok && !changed && expected === null) await guard()
  if (changed) {
    const message = `${path} has changed on disk. Compare both versions, then decide.`
    return { ok: false, failure: { code: 'changed', message, found: changed } }
  }
  return written.ok ? succeed({ realPath: written.value.realPath, hash: hashContent(bytes) }) : written
}
