import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** What is only on its way to its name, which a crash would throw away. */
const unfinished = /\.(?:new|over|tmp)(?:[/\\]|$)/

/** Whether some file below a folder holds a text for good. Nothing that goes while we look does. */
export function holds(folder: string, text: string): boolean {
  try {
    return readdirSync(folder, { withFileTypes: true, recursive: true }).some((entry) => {
      const path = join(entry.parentPath, entry.name)
      return entry.isFile() && !unfinished.test(path) && readFileSync(path, 'utf8').includes(text)
    })
  } catch {
    return false
  }
}
