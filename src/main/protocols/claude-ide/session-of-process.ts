import { join } from 'node:path'
import { z } from 'zod'
import { parseJson } from '../../../shared/json'
import { readText } from '../../core/files/regular-file'
import { notesFolder, projectsFolder } from '../../core/history/session-places'

/** The session that a command line is in. Its file may not exist before the first prompt. */
export interface SessionOfProcess {
  path: string
  /** When the command line was started, in milliseconds since the epoch. */
  startedAt: number
}

/** What the command line notes of itself while it runs (measured with 2.1.330). */
const note = z.object({
  sessionId: z.string().regex(/^[\w-]+$/),
  cwd: z.string(),
  // Where it is missing, no line is known to be of this process.
  startedAt: z.number().default(Number.POSITIVE_INFINITY),
})

/** The files in which a command line notes its session: one for each place where it may keep its configuration. */
export function sessionNotes(configFolders: readonly string[], pid: number): string[] {
  return configFolders.map((folder) => join(notesFolder(folder), `${pid}.json`))
}

/** The session that a command line is in now; undefined if it notes none, or not in a form that is known. */
export async function findSessionOfProcess(
  configFolders: readonly string[],
  pid: number,
): Promise<SessionOfProcess | undefined> {
  for (const folder of configFolders) {
    const [path = ''] = sessionNotes([folder], pid)
    const read = note.safeParse(parseJson(await readText(path).catch(() => '')))
    if (!read.success) continue
    const { sessionId, cwd, startedAt } = read.data
    const project = cwd.replaceAll(/[^a-zA-Z0-9]/g, '-')
    return { path: join(projectsFolder(folder), project, `${sessionId}.jsonl`), startedAt }
  }
  return undefined
}
