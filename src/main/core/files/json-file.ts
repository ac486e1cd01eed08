import { existsSync, renameSync } from 'node:fs'
import type { z } from 'zod'
import { type Done, fail, succeed } from '../../../shared/result'
import { privateFileMode } from '../platform/file-modes'
import { writeFileAtomically } from './write-file'
import { systemCode } from './file-failure'
import { readBytesSync } from './regular-file'

/**
 * The content of one of the app's JSON files; null if there is none, or it was damaged, and then `problem` is a
 * sentence.
 */
export interface JsonFileContent<T> {
  value: T | null
  problem: string | null
}

/** Reads a small JSON file and sets a damaged one aside. `name`: what it holds, as the beginning of a sentence. */
export function readJsonFile<T>(path: string, schema: z.ZodType<T>, name: string): JsonFileContent<T> {
  try {
    return { value: schema.parse(JSON.parse(readBytesSync(path).toString('utf8'))), problem: null }
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return { value: null, problem: null }
  }
  const aside = setAside(path)
  return {
    value: null,
    problem: aside
      ? `${name} couldn’t be read, so the file was moved to ${aside}. Fix it there, or start over.`
      : `${name} couldn’t be read. Check ${path}.`,
  }
}

/** Replaces a JSON file in one step, flushed, and readable only by its owner. */
export async function writeJsonFile(path: string, value: unknown): Promise<Done> {
  const text = `${JSON.stringify(value, null, 1)}\n`
  const written = await writeFileAtomically(path, Buffer.from(text), {
    mode: privateFileMode,
    createParents: true,
  })
  return written.ok ? succeed({}) : fail(written.failure.code, written.failure.message)
}

/** Renames a damaged file to NAME.broken-TIME, so that nothing is lost. Returns the new path; null if that fails. */
export function setAside(path: string, at = new Date()): string | null {
  const name = `${path}.broken-${at.toISOString().replaceAll(':', '-')}`
  let aside = name
  for (let more = 2; existsSync(aside); more++) aside = `${name}-${more}`
  try {
    renameSync(path, aside)
    return aside
  } catch {
    return null
  }
}
