import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { fail, succeed, type Failure, type Result } from '../../../shared/result'
import { removeDiscoveryFile, removeStaleFiles, writeDiscoveryFile } from '../kit/discovery-files'

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
  #written = new Set<string>()
  #last: Promise<unknown> = Promise.resolve()
  #over = false

  constructor(folders: readonly string[], port: number, token: string) {
    this.#folders = folders
    this.#port = port
    this.#token = token
  }

  /** The paths of the files that are there. */
  get paths(): string[] {
    return [...this.#written]
  }

  /**
   * Writes the files anew with these folders of the window, after any write still under way. Fails when no folder
   * could be written; one of two is enough, because command lines look in both.
   */
  write(workspaceFolders: readonly string[]): Promise<Result<void>> {
    const next = this.#last.then(() => this.#writeAll(workspaceFolders))
    this.#last = next
    return next
  }

  /** Removes the files at once, so that they are gone even if the process ends now. A late write removes its own. */
  remove(): void {
    this.#over = true
    for (const path of this.#written) {
      try {
        rmSync(path, { force: true })
      } catch {
        // The next start removes it, since its process is then gone.
      }
    }
    this.#written.clear()
  }

  async #writeAll(workspaceFolders: readonly string[]): Promise<Result<void>> {
    const content = {
      pid: process.pid,
      workspaceFolders,
      ideName,
      transport: 'ws',
      authToken: this.#token,
    }
    let failure: Failure | undefined
    for (const folder of this.#folders) {
      if (this.#over) return fail('stopped', 'The server has stopped. Start it again.')
      const written = await writeDiscoveryFile({ folder, name: `${this.#port}.lock` }, content)
      if (!written.ok) failure = written.failure
      else if (this.#over) await removeDiscoveryFile(written.value)
      else this.#written.add(written.value)
    }
    return this.#written.size === 0 && failure ? { ok: false, failure } : succeed(undefined)
  }
}
