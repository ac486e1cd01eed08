import { readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { FoundDiscoveryFile } from '../../core/connections/machine-checks'
import { isListening } from '../../core/net/is-listening'

/** The file that holds the address of the server on a port. */
export function serverFile(folder: string, port: number): string {
  return join(folder, `${port}.token`)
}

/** Removes the files of servers that were killed. */
export async function removeLeftFiles(folder: string): Promise<void> {
  for (const { path, isAlive } of await findServerFiles(folder)) if (!isAlive) await rm(path, { force: true })
}

/** The files of servers, whether they still listen or not. No file is read: each holds a secret. */
export async function findServerFiles(folder: string): Promise<FoundDiscoveryFile[]> {
  const names = await readdir(folder).catch(() => [])
  const found = names.map(async (name): Promise<FoundDiscoveryFile | null> => {
    const port = Number(/^(\d{1,5})\.token$/.exec(name)?.[1])
    if (!port || port > 65_535) return null
    const path = serverFile(folder, port)
    const stats = await stat(path).catch(() => null)
    if (!stats) return null
    return {
      ...{ path, editor: 'Greenlight', isOurs: true, port, folders: null, written: stats.mtimeMs },
      isAlive: await isListening(port),
      isOpen: process.platform !== 'win32' && (stats.mode & 0o077) !== 0,
    }
  })
  return (await Promise.all(found)).filter((one) => one !== null)
}
