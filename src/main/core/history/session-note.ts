import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import { parseJson } from '../../../shared/json'
import { readText } from '../files/regular-file'
import { processExists, startOfProcess } from '../platform/process-tree'

/** What a running command line records about itself (2.1.330; earlier versions record less, or nothing). */
const note = z.object({
  pid: z.number().int().positive(),
  sessionId: z.string(),
  startedAt: z.number().optional().catch(undefined),
  /** When the process was started, in Linux's units. */
  procStart: z.string().optional().catch(undefined),
  status: z.string().optional().catch(undefined),
})
export type SessionNote = z.infer<typeof note>

/** The files of notes in a folder; none if there is no such folder. */
export async function notesIn(folder: string): Promise<string[]> {
  const names = await readdir(folder).catch(() => [])
  return names.filter((name) => /^\d+\.json$/.test(name)).map((name) => join(folder, name))
}

/** The note in a file; null if there is none. */
export async function readNote(path: string): Promise<SessionNote | null> {
  const read = note.safeParse(parseJson(await readText(path).catch(() => '')))
  return read.success ? read.data : null
}

/** Whether a note's process is alive and, on Linux, the one that wrote it: a killed process leaves its note. */
export async function isOfLiving({ pid, procStart }: SessionNote): Promise<boolean> {
  if (process.platform !== 'linux') return processExists(pid)
  const started = await startOfProcess(pid)
  return started !== null && (procStart === undefined || procStart === started)
}
