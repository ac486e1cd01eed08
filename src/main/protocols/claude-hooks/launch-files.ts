import { readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { type Result, succeed } from '../../../shared/result'
import { writeFileAtomically } from '../../core/files/write-file'
import { isListening } from '../../core/net/is-listening'
import { privateFileMode } from '../../core/platform/file-modes'
import { hookPlugin } from './hook-entry'

/** The folder of the plugin of the server on a port, below the folder of all servers' files. */
export function pluginFolder(folder: string, port: number): string {
  return join(folder, String(port), 'plugin')
}

/** Writes the plugin that has an agent call `url`; gives its files. They name the token and don't hold it. */
export async function writePlugin(plugin: string, url: string): Promise<Result<string[]>> {
  const files = Object.entries(hookPlugin(url)).map(([name, text]) => ({ path: join(plugin, name), text }))
  for (const { path, text } of files) {
    const options = { mode: privateFileMode, createParents: true }
    const written = await writeFileAtomically(path, Buffer.from(text), options)
    if (!written.ok) return written
  }
  return succeed(files.map(({ path }) => path))
}

/** Removes the plugins of ports where nothing listens, but for those that `isKept` says a window will take up again. */
export async function removeLeftPlugins(folder: string, isKept: (port: number) => boolean): Promise<void> {
  const names = await readdir(folder).catch(() => [])
  for (const port of names.filter((name) => /^\d{1,5}$/.test(name)).map(Number))
    if (!isKept(port) && !(await isListening(port)))
      await rm(join(folder, String(port)), { recursive: true, force: true })
}
