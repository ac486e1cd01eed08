import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { FoundDiscoveryFile } from '../../core/connections/machine-checks'
import { readText } from '../../core/files/regular-file'
import { processExists } from '../../core/platform/process-tree'

/** What a dialect finds in one of its files. */
type Content = Omit<FoundDiscoveryFile, 'path' | 'isAlive' | 'isOpen' | 'written'> & { pid: number | null }

/** The files in some folders by which agents find an editor; `understand` gives null for any other file. */
export async function readDiscoveryFiles(
  folders: readonly string[],
  wanted: RegExp,
  understand: (name: string, content: unknown) => Content | null,
): Promise<FoundDiscoveryFile[]> {
  const found: FoundDiscoveryFile[] = []
  for (const folder of folders) {
    for (const name of (await readdir(folder).catch(() => [])).filter((one) => wanted.test(one)).sort()) {
      const path = join(folder, name)
      try {
        const [text, { mode, mtimeMs }] = await Promise.all([readText(path), stat(path)])
        const content = understand(name, JSON.parse(text))
        if (content === null) continue
        const { pid, ...rest } = content
        found.push({
          path,
          ...rest,
          isAlive: pid === null ? null : processExists(pid),
          isOpen: process.platform !== 'win32' && (mode & 0o077) !== 0,
          written: mtimeMs,
        })
      } catch {
        // It's gone or not JSON: no agent can use it either.
      }
    }
  }
  return found
}
