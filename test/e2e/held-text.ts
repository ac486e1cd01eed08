import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** Whether some file below a folder holds a text. A file that goes while we look does not. */
export function holds(folder: string, text: string): boolean {
  return readdirSync(folder, { withFileTypes: true, recursive: true }).some((entry) => {
    try {
      return entry.isFile() && readFileSync(join(entry.parentPath, entry.name), 'utf8').includes(text)
    } catch {
      return false
    }
  })
}
