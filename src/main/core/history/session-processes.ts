import { type StampedValue, readIfChanged } from './file-stamp'
import { isOfLiving, notesIn, readNote, type SessionNote } from './session-note'
import { notesFolder } from './session-places'

/**
 * Which processes are in a session at this moment, from their own notes. Looked up each time, because callers can't wait
 * for a watcher; a note that hasn't changed isn't read again.
 */
export class SessionProcesses {
  readonly #folders: readonly string[]
  #read = new Map<string, StampedValue<SessionNote | null>>()

  /** `configFolders`: all folders in which command lines may keep their configuration. */
  constructor(configFolders: readonly string[]) {
    this.#folders = configFolders.map(notesFolder)
  }

  /** Their process ids; empty if none is known. */
  async in(session: string): Promise<number[]> {
    const found = await Promise.all(this.#folders.map(notesIn))
    const notes = await Promise.all(
      found
        .flat()
        .map(async (path) => [path, await readIfChanged(path, readNote, this.#read.get(path))] as const),
    )
    this.#read = new Map(notes)
    const mine = notes.flatMap(([, [note]]) => (note?.sessionId === session ? [note] : []))
    const living = await Promise.all(mine.map(isOfLiving))
    return mine.filter((_, index) => living[index]).map(({ pid }) => pid)
  }
}
