import { join } from 'node:path'
import { succeed, type Result } from '../../../shared/result'
import { DiscoveryFileSet } from '../kit/discovery-file-set'
import { removeStaleFiles } from '../kit/discovery-files'

/** The name by which command lines show us, and by which we know our own lock files. */
export const ideName = 'Greenlight'

/** Where command lines keep their configuration: wherever the environment puts it, and in the home. */
export function configFolders(home: string, configFolder: string | undefined): string[] {
  const usual = join(home, '.claude')
  return [...new Set([configFolder ?? usual, usual])]
}

/** Where in a configuration command lines look for editors. */
export function lockFolder(configFolder: string): string {
  return join(configFolder, 'ide')
}

/** Removes lock files that an earlier run of this app left, in every folder. Gives how many. */
export async function removeStaleLocks(folders: readonly string[]): Promise<number> {
  const name = /^\d{1,5}\.lock$/
  const isOurs = (content: Record<string, unknown>): boolean => content['ideName'] === ideName
  const removed = await Promise.all(folders.map((folder) => removeStaleFiles(folder, { name, isOurs })))
  return removed.flat().length
}

/** The lock files of one server; their name is its port. */
export class LockFiles {
  readonly #folders: readonly string[]
  readonly #port: number
  readonly #token: string
  readonly #files = new DiscoveryFileSet()

  constructor(folders: readonly string[], port: number, token: string) {
    this.#folders = folders
    this.#port = port
    this.#token = token
  }

  /** The paths of the files that are there. */
  get paths(): string[] {
    return this.#files.paths
  }

  /**
   * Writes the files anew with these folders of the window, after any write still under way. Fails when no folder
   * could be written; one of two is enough, because command lines look in both.
   */
  async write(workspaceFolders: readonly string[]): Promise<Result<void>> {
    const name = `${this.#port}.lock`
    const content = { pid: process.pid, workspaceFolders, ideName, transport: 'ws', authToken: this.#token }
    const written = await this.#files.write(
      this.#folders.map((folder) => ({ file: { folder, name }, content })),
    )
    if (!written.ok) return written
    const failure = written.value.findLast((each) => each !== undefined)
    return this.paths.length === 0 && failure ? { ok: false, failure } : succeed(undefined)
  }

  /** Removes the files at once, so that they are gone even if the process ends now. */
  remove(): void {
    this.#files.remove()
  }
}
