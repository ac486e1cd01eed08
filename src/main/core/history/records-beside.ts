import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { readStretch } from '../files/file-pieces'
import { withFile } from '../files/regular-file'
import { agentOfRecord } from './sub-agent-files'

/** A record names its session within this many bytes. */
const head = 16 * 1024

/** The records of sub-agents that older versions wrote next to the sessions' own files. Each is read once. */
export class RecordsBeside {
  readonly #sessions = new Map<string, string>()

  /** The paths of those in these folders, by the session that each names. */
  async in(folders: ReadonlySet<string>): Promise<Map<string, string[]>> {
    const found = new Map<string, string[]>()
    for (const folder of folders) {
      for (const name of await readdir(folder).catch(() => [])) {
        if (agentOfRecord(name) === null) continue
        const path = join(folder, name)
        const session = await this.#sessionOf(path)
        if (session !== null) found.set(session, [...(found.get(session) ?? []), path])
      }
    }
    return found
  }

  async #sessionOf(path: string): Promise<string | null> {
    const known = this.#sessions.get(path)
    if (known !== undefined) return known
    try {
      const text = (await withFile(path, (file) => readStretch(file, 0, head))).toString('latin1')
      const session = /"sessionId": ?"([\w-]+)"/.exec(text)?.[1] ?? null
      if (session !== null) this.#sessions.set(path, session)
      return session
    } catch {
      // It is gone or unreadable.
      return null
    }
  }
}
