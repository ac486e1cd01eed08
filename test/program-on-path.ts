import { chmodSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** Puts a program under a name into a folder for the PATH; one of Node's is run by this process's own Node. */
export function putOnPath(folder: string, name: string, path: string): void {
  mkdirSync(folder, { recursive: true })
  const command = /\.[cm]?js$/.test(path) ? `"${process.execPath}" "${path}"` : `"${path}"`
  writeFileSync(join(folder, name), `#!/bin/sh\nexec ${command} "$@"\n`)
  chmodSync(join(folder, name), 0o755)
}
