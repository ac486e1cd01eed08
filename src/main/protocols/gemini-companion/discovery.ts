import { delimiter, join } from 'node:path'
import { succeed, type Result } from '../../../shared/result'
import { DiscoveryFileSet, type FileToWrite } from '../kit/discovery-file-set'
import { removeStaleFiles } from '../kit/discovery-files'

/** How clients show us, and how we know our own files. Both names must be there for a client to take us at all. */
export const ideInfo = { name: 'greenlight', displayName: 'Greenlight' } as const

/** Where the files of a server are, and which processes they name. */
export interface DiscoveryPlaces {
  /** The folder for temporary files, as clients in our terminals know it. */
  temporary: string
  home: string
  /** QWEN_HOME of the environment, where it is set: Qwen Code's own folder. */
  qwenHome?: string
  /** The process that clients find us by, and its parent, by which older ones do. */
  pid: number
  parentPid: number
}

/** What clients need to reach a server. Qwen Code has a token of its own, so that it can be told apart. */
export interface DiscoveryAddress {
  port: number
  token: string
  qwenToken: string
}

/** Where Gemini CLI looks for editors. */
export function geminiFolder(places: DiscoveryPlaces): string {
  return join(places.temporary, 'gemini', 'ide')
}

/** Where Qwen Code looks for editors: wherever the environment puts it, and in the home. */
export function qwenFolders(places: DiscoveryPlaces): string[] {
  const usual = join(places.home, '.qwen')
  return [...new Set([places.qwenHome ?? usual, usual])].map((folder) => join(folder, 'ide'))
}

/** The folders of a window as clients read them. */
export function workspacePath(folders: readonly string[]): string {
  return folders.join(delimiter)
}

/** Removes files that an earlier run of this app left behind. Gives how many. */
export async function removeStaleDiscovery(places: DiscoveryPlaces): Promise<number> {
  const isOurs = (content: Record<string, unknown>): boolean => {
    const info = content['ideInfo'] as { name?: unknown } | null | undefined
    return info?.name === ideInfo.name
  }
  const removed = await Promise.all([
    removeStaleFiles(geminiFolder(places), { name: /^gemini-ide-server-\d+-\d+\.json$/, isOurs }),
    ...qwenFolders(places).map((folder) => removeStaleFiles(folder, { name: /^\d{1,5}\.lock$/, isOurs })),
  ])
  return removed.flat().length
}

/** The discovery files of one server. */
export class DiscoveryFiles {
  readonly #places: DiscoveryPlaces
  readonly #address: DiscoveryAddress
  readonly #files = new DiscoveryFileSet()

  constructor(places: DiscoveryPlaces, address: DiscoveryAddress) {
    this.#places = places
    this.#address = address
  }

  /** The paths of the files that are there; Gemini's first. */
  get paths(): string[] {
    return this.#files.paths
  }

  /**
   * Writes the files anew with these folders of the window, after any write still under way. Fails when Gemini's
   * own could not be written; the others are for older versions and relatives of it.
   */
  async write(folders: readonly string[]): Promise<Result<void>> {
    const { pid, parentPid } = this.#places
    const { port, token, qwenToken } = this.#address
    const common = { port, workspacePath: workspacePath(folders), ideInfo, pid }
    const gemini = (owner: number): FileToWrite => ({
      file: { folder: geminiFolder(this.#places), name: `gemini-ide-server-${owner}-${port}.json` },
      content: { ...common, authToken: token },
    })
    const files = [gemini(pid)]
    if (parentPid > 1) files.push(gemini(parentPid))
    for (const folder of qwenFolders(this.#places)) {
      // Qwen Code removes every lock whose ppid is no living process; ours lives as long as the server does.
      files.push({
        file: { folder, name: `${port}.lock` },
        content: { ...common, authToken: qwenToken, ppid: pid },
      })
    }
    const written = await this.#files.write(files)
    if (!written.ok) return written
    const failure = written.value[0]
    return failure ? { ok: false, failure } : succeed(undefined)
  }

  /** Removes the files at once, so that they are gone even if the process ends now. */
  remove(): void {
    this.#files.remove()
  }
}
