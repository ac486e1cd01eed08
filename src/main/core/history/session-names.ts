import { join } from 'node:path'
import { z } from 'zod'
import { type Done, fail } from '../../../shared/result'
import { readJsonFile, writeJsonFile } from '../files/json-file'

/** A longer name is refused, in characters. */
const longestTitle = 200

const ownWords = z.object({
  title: z.string().min(1).max(longestTitle).exactOptional(),
  hidden: z.literal(true).exactOptional(),
})

const namesFile = z.object({ version: z.literal(1), sessions: z.record(z.string(), ownWords) })

/** What the person set for a session in this app. */
export type OwnWords = z.infer<typeof ownWords>

/**
 * The person's own names for sessions, and which of them are hidden: kept in DATA/sessions.json, never in the agent's
 * files. One per data directory; only the process that owns it writes.
 */
export class SessionNames {
  readonly #path: string
  #sessions: Record<string, OwnWords>
  /** Writes, one after another. */
  #writing: Promise<unknown> = Promise.resolve()
  /** What was wrong with the stored file, as a sentence; null if nothing. */
  readonly problem: string | null

  constructor(dataDirectory: string) {
    this.#path = join(dataDirectory, 'sessions.json')
    const { value, problem } = readJsonFile(this.#path, namesFile, 'The session names')
    this.#sessions = value?.sessions ?? {}
    this.problem = problem
  }

  of(id: string): OwnWords {
    return (Object.hasOwn(this.#sessions, id) ? this.#sessions[id] : undefined) ?? {}
  }

  /** Names a session; an empty name removes its name. Fails with a sentence; then nothing has changed. */
  rename(id: string, title: string): Promise<Done> {
    const trimmed = title.trim()
    if (trimmed.length > longestTitle) {
      return Promise.resolve(
        fail('too-long', `A name can have up to ${longestTitle} characters. Choose a shorter one.`),
      )
    }
    const { title: _, ...rest } = this.of(id)
    return this.#set(id, trimmed === '' ? rest : { ...rest, title: trimmed })
  }

  /** Hides a session from the list, or shows it again. */
  hide(id: string, hidden: boolean): Promise<Done> {
    const { hidden: _, ...rest } = this.of(id)
    return this.#set(id, hidden ? { ...rest, hidden } : rest)
  }

  /** Forgets what was set for a session that is gone. */
  forget(id: string): Promise<Done> {
    return this.#set(id, {})
  }

  #set(id: string, words: OwnWords): Promise<Done> {
    const write = async (): Promise<Done> => {
      const { [id]: _, ...others } = this.#sessions
      const sessions = Object.keys(words).length > 0 ? { ...others, [id]: words } : others
      const written = await writeJsonFile(this.#path, { version: 1, sessions })
      if (written.ok) this.#sessions = sessions
      return written
    }
    const done = this.#writing.then(write)
    this.#writing = done
    return done
  }
}
