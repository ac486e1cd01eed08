import { randomUUID } from 'node:crypto'
import { renameSync, rmSync, writeFileSync } from 'node:fs'
import { privateFileMode } from './file-modes'

/** Writes a file for its owner alone in one step: who reads it finds the old or the new. Throws where the disk refuses. */
export function replaceFile(path: string, content: string | Uint8Array): void {
  const draft = `${path}.${randomUUID()}.tmp`
  try {
    writeFileSync(draft, content, { mode: privateFileMode })
    renameSync(draft, path)
  } finally {
    rmSync(draft, { force: true })
  }
}
