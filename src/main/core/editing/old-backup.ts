import { readFile } from 'node:fs/promises'
import { ChangeSet } from '@codemirror/state'
import { z } from 'zod'
import { toText } from '../../../shared/text'
import type { Unsaved } from './backup-file'

/** A backup as it was written before there were logs: all changes in one file, the base beside it. Still read. */
const oldSchema = z.object({
  path: z.string(),
  baseHash: z.string().nullable(),
  facts: z.object({
    encoding: z.enum(['utf-8', 'utf-16le', 'utf-16be', 'latin-1']),
    bom: z.boolean(),
    eol: z.enum(['lf', 'crlf', 'cr', 'mixed']),
    finalNewline: z.boolean(),
  }),
  changes: z.array(z.unknown()),
})

/** Which file an old backup is of; null where it cannot be read. */
export async function readOldPath(file: string): Promise<string | null> {
  try {
    return oldSchema.parse(JSON.parse(await readFile(file, 'utf8'))).path
  } catch {
    return null
  }
}

/** The text of an old backup of a path; undefined where there is none, or none that can be read. */
export async function readOldBackup(
  file: string,
  baseFile: string,
  path: string,
): Promise<Unsaved | undefined> {
  try {
    const stored = oldSchema.parse(JSON.parse(await readFile(file, 'utf8')))
    if (stored.path !== path) return undefined
    const base = toText(JSON.parse(await readFile(baseFile, 'utf8')) as string)
    const text = ChangeSet.fromJSON(stored.changes).apply(base)
    return { path, base, baseHash: stored.baseHash, facts: stored.facts, text }
  } catch {
    return undefined
  }
}
