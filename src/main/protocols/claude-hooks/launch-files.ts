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

/** The file of a plugin that says what is called. */
export function hooksFile(plugin: string): string {
  return join(plugin, 'hooks', 'hooks.json')
}

/** Writes the plugin that has an agent call `url`. Its files name the token and don't hold it. */
export async function writePlugin(plugin: string, url: string): Promise<Result<void>> {
  for (const [name, text] of Object.entries(hookPlugin(url))) {
    const path = join(plugin, name)
    const options = { mode: privateFileMode, createParents: true }
    const written = await writeFileAtomically(path, Buffer.from(text), options)
    if (!written.ok) return written
  }
  return succeed(undefined)
}

/** Writes settings that switch hooks on, the person's own too, where others switch them off; gives their file. */
export async function writeHooksOn(folder: string): Promise<Result<string>> {
  const path = join(folder, 'hooks-on.json')
  const text = JSON.stringify({ disableAllHooks: false })
  const written = await writeFileAtomically(path, Buffer.from(text), {
    mode: privateFileMode,
    createParents: true,
  })
  return written.ok ? succeed(path) : written
}

/** Removes the plugins of ports where nothing listens, but for those that `isKept` says a window will take up again. */
export async function removeLeftPlugins(folder: string, isKept: (port: number) => boolean): Promise<void> {
  const names = await readdir(folder).catch(() => [])
  for (const port of names.filter((name) => /^\d{1,5}$/.test(name)).map(Number))
    if (!isKept(port) && !(await isListening(port)))
      await rm(join(folder, String(port)), { recursive: true, force: true })
}
