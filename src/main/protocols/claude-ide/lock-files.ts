import { join } from 'node:path'
import { succeed, type Failure, type Result } from '../../../shared/result'
import { type DiscoveryFiles, removeStaleFiles } from '../kit/discovery-files'

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

/** Removes the lock files that an earlier run of this app left behind, in each of the folders. */
export async function removeStaleLocks(folders: readonly string[]): Promise<void> {
  await Promise.all(
    folders.map((folder) =>
      removeStaleFiles(folder, {
        name: /^\d{1,5}\.lock$/,
        isOurs: (content) => content['ideName'] === ideName,
      }),
    ),
  )
}

/**
 * Gives a function that writes the lock file of one server with the window's folders; its name is the port. It goes
 * into the first of `folders` that can be written, and stays there: two files of one server would be two editors for
 * command lines, which then choose neither by themselves (measured with 2.1.330; docs/protocols/claude-code.md, "Which
 * folder the lock file is in"). Fails if none can be written.
 */
export function lockFileWriter(
  files: DiscoveryFiles,
  server: { folders: readonly string[]; port: number; token: string },
): (workspaceFolders: readonly string[]) => Promise<Result<void>> {
  let { folders } = server
  return async (workspaceFolders) => {
    const name = `${server.port}.lock`
    const content = { pid: process.pid, workspaceFolders, ideName, transport: 'ws', authToken: server.token }
    let failure: Failure | undefined
    for (const folder of folders) {
      const written = await files.write([{ file: { folder, name }, content }])
      if (!written.ok) return written
      failure = written.value[0]
      if (failure === undefined) {
        folders = [folder]
        break
      }
    }
    return failure ? { ok: false, failure } : succeed(undefined)
  }
}
