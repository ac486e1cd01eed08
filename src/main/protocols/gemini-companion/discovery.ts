import { delimiter, join } from 'node:path'
import { objectOf, type Json } from '../../../shared/json'
import { succeed, type Result } from '../../../shared/result'
import { type DiscoveryFiles, type FileToWrite, removeStaleFiles } from '../kit/discovery-files'

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
interface DiscoveryAddress {
  port: number
  token: string
  qwenToken: string
}

/** Where Gemini CLI looks for editors. */
function geminiFolder(places: DiscoveryPlaces): string {
  return join(places.temporary, 'gemini', 'ide')
}

/** Where Qwen Code looks for editors: wherever the environment puts it, and in the home. */
function qwenFolders(places: DiscoveryPlaces): string[] {
  const usual = join(places.home, '.qwen')
  return [...new Set([places.qwenHome ?? usual, usual])].map((folder) => join(folder, 'ide'))
}

/** The folders of a window as clients read them. */
export function workspacePath(folders: readonly string[]): string {
  return folders.join(delimiter)
}

/** Removes the discovery files that an earlier run of this app left behind. */
export async function removeStaleDiscovery(places: DiscoveryPlaces): Promise<void> {
  const isOurs = (content: Json): boolean => objectOf(content['ideInfo'])?.['name'] === ideInfo.name
  await Promise.all([
    removeStaleFiles(geminiFolder(places), { name: /^gemini-ide-server-\d+-\d+\.json$/, isOurs }),
    ...qwenFolders(places).map((folder) => removeStaleFiles(folder, { name: /^\d{1,5}\.lock$/, isOurs })),
  ])
}

/**
 * Writes the discovery files of one server with the window's folders. Fails if Gemini's own could not be written; the
 * others are for older versions and relatives of it.
 */
export async function writeDiscovery(
  files: DiscoveryFiles,
  places: DiscoveryPlaces,
  { port, token, qwenToken }: DiscoveryAddress,
  folders: readonly string[],
): Promise<Result<void>> {
  const { pid, parentPid } = places
  const common = { port, workspacePath: workspacePath(folders), ideInfo, pid }
  const gemini = (owner: number): FileToWrite => ({
    file: { folder: geminiFolder(places), name: `gemini-ide-server-${owner}-${port}.json` },
    content: { ...common, authToken: token },
  })
  const written = await files.write([
    gemini(pid),
    ...(parentPid > 1 ? [gemini(parentPid)] : []),
    ...qwenFolders(places).map((folder) => ({
      file: { folder, name: `${port}.lock` },
      // Qwen Code removes every lock file whose ppid isn't a running process; ours runs as long as the server.
      content: { ...common, authToken: qwenToken, ppid: pid },
    })),
  ])
  if (!written.ok) return written
  const failure = written.value[0]
  return failure ? { ok: false, failure } : succeed(undefined)
}
