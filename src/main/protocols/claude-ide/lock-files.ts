import { join } from 'node:path'
import { succeed, type Failure, type Result } from '../../../shared/result'
import { DiscoveryFileSet } from '../kit/discovery-file-set'
import { removeStaleFiles } from '../kit/discovery-files'

/** The name by which command lines show us, and by which we know our own lock files. */
export const ideName = 'Greenlight'

/** Where command lines keep their configuration: in the home, or wherever the environment puts it. */
export function configFolders(home: string, configFolder: string | undefined): string[] {
  const usual = join(home, '.claude')
  return [...new Set([usual, configFolder ?? usual])]
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

/**
 * The lock file of one server; its name is its port. Command lines look in `~/.claude` whatever `CLAUDE_CONFIG_DIR` says,
 * and in that folder too where it is set. Two files of one server are two editors for them, of which they take none by
 * themselves, so there is one: in the home, and only where that cannot be written, in the other folder (measured with
 * 2.1.330; docs/protocols/claude-code.md, "Which folder the lock file is in").
 */
export class LockFiles {
  /** The first that can be written is taken, and stays. */
  #folders: readonly string[]
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
   * Writes the file anew with these folders of the window, after any write still under way. Fails when no folder could
   * be written.
   */
  async write(workspaceFolders: readonly string[]): Promise<Result<void>> {
    const name = `${this.#port}.lock`
    const content = { pid: process.pid, workspaceFolders, ideName, transport: 'ws', authToken: this.#token }
    let failure: Failure | undefined
    for (const folder of this.#folders) {
      const written = await this.#files.write([{ file: { folder, name }, content }])
      if (!written.ok) return written
      failure = written.value[0]
      if (failure === undefined) {
        this.#folders = [folder]
        return succeed(undefined)
      }
    }
    return failure ? { ok: false, failure } : succeed(undefined)
  }

  /** Removes the file at once, so that it is gone even if the process ends now. */
  remove(): void {
    this.#files.remove()
  }
}
