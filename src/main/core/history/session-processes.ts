import { stat } from 'node:fs/promises'
import { isOfLiving, notesIn, readNote, type SessionNote } from './session-note'
import { notesFolder } from './session-places'

/** A note as it was read, and what tells it from a newer one. */
interface ReadNote {
  stamp: string
  note: SessionNote | null
}

/**
 * Which processes are in a session at this moment, from their own notes. Looked up each time, because callers can't wait
 * for a watcher; a note that hasn't changed isn't read again.
 */
export class SessionProcesses {
  readonly #folders: readonly string[]
  #read = new Map<string, ReadNote>()

  /** `configFolders`: all folders in which command lines may keep their configuration. */
  constructor(configFolders: readonly string[]) {
    this.#folders = configFolders.map(notesFolder)
  }

  /** Their process ids; empty if none is known. */
  async in(session: string): Promise<number[]> {
    const found = await Promise.all(this.#folders.map(notesIn))
    const notes = await Promise.all(
      found.flat().map(async (path) => [path, await this.#noteAt(path)] as const),
    )
    this.#read = new Map(notes)
    const mine = notes.flatMap(([, { note }]) => (note?.sessionId === session ? [note] : []))
    const living = await Promise.all(mine.map(isOfLiving))
    return mine.filter((_, index) => living[index]).map(({ pid }) => pid)
  }

  async #noteAt(path: string): Promise<ReadNote> {
    const found = await stat(path).catch(() => null)
    const stamp = `${found?.mtimeMs} ${found?.size} ${found?.ino}`
    const known = this.#read.get(path)
    return known?.stamp === stamp ? known : { stamp, note: await readNote(path) }
  }
}
