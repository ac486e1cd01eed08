import { type Disposable, DisposableStack, Emitter, type Listen } from '../../../shared/lifetime'
import type { FileWatcher } from '../files/watcher'
import { RepeatedLook } from '../files/repeated-look'
import { isOfLiving, notesIn, readNote } from './session-note'
import { notesFolder } from './session-places'

/** What a command line notes of itself. `waiting`: one of its dialogs asks the person. `unknown`: it doesn't say. */
export type NotedStatus = 'working' | 'waiting' | 'idle' | 'unknown'

/** A session that a command line is in now. */
export interface RunningSession {
  pid: number
  sessionId: string
  status: NotedStatus
  /** Milliseconds since the epoch. */
  startedAt: number | null
}

/** How often running processes are checked, in milliseconds. */
const sweep = 30_000

/**
 * Which sessions are running on this computer, from what their command lines record. A record left by a killed process
 * doesn't count: its process must be alive and, on Linux, the one that wrote it.
 */
export class RunningSessions implements Disposable {
  readonly #folder: string
  readonly #watcher: Pick<FileWatcher, 'watchFile' | 'watchDirectory'>
  readonly #changes = new Emitter<void>()
  readonly onChange: Listen<void> = this.#changes.on
  readonly #owned = new DisposableStack()
  readonly #watched = new Map<string, Disposable>()
  #running = new Map<string, RunningSession>()
  readonly #looks = new RepeatedLook(() => this.#look())
  #timer: NodeJS.Timeout | undefined
  #isDisposed = false

  constructor(configFolder: string, watcher: Pick<FileWatcher, 'watchFile' | 'watchDirectory'>) {
    this.#folder = notesFolder(configFolder)
    this.#watcher = watcher
  }

  /** Looks for the first time, and then at every change. */
  async start(): Promise<void> {
    this.#owned.add(await this.#watcher.watchDirectory(this.#folder, () => this.#looks.ask()))
    this.#timer = setInterval(() => this.#looks.ask(), sweep).unref()
    await this.settled()
  }

  /** The command line that is in a session; if there are several, the one started last. */
  of(sessionId: string): RunningSession | null {
    return this.#running.get(sessionId) ?? null
  }

  get all(): RunningSession[] {
    return [...this.#running.values()]
  }

  /** Settles when everything recorded at the time of the call is known. */
  settled(): Promise<void> {
    return this.#looks.settled()
  }

  dispose(): void {
    this.#isDisposed = true
    this.#looks.dispose()
    clearInterval(this.#timer)
    this.#owned.dispose()
    for (const watched of this.#watched.values()) watched.dispose()
    this.#watched.clear()
    this.#changes.dispose()
  }

  async #look(): Promise<void> {
    const paths = await notesIn(this.#folder)
    for (const [path, watched] of this.#watched) {
      if (paths.includes(path)) continue
      watched.dispose()
      this.#watched.delete(path)
    }
    const running = new Map<string, RunningSession>()
    for (const path of paths) {
      if (!this.#watched.has(path)) {
        const watched = await this.#watcher.watchFile(path, () => this.#looks.ask())
        if (this.#isDisposed) return watched.dispose()
        this.#watched.set(path, watched)
      }
      const session = await sessionIn(path)
      const other = session && running.get(session.sessionId)
      if (session && (other?.startedAt ?? 0) <= (session.startedAt ?? 0))
        running.set(session.sessionId, session)
    }
    const isSame = JSON.stringify([...running]) === JSON.stringify([...this.#running])
    this.#running = running
    if (!isSame && !this.#isDisposed) this.#changes.emit()
  }
}

async function sessionIn(path: string): Promise<RunningSession | null> {
  const note = await readNote(path)
  if (note === null || !(await isOfLiving(note))) return null
  const { pid, sessionId, startedAt, status } = note
  return { pid, sessionId, status: statusOf(status), startedAt: startedAt ?? null }
}

/** The status in a note, by our own words. */
export function statusOf(status: string | undefined): NotedStatus {
  switch (status) {
    case 'busy':
    case 'working':
      return 'working'
    case 'waiting':
      return 'waiting'
    case 'idle':
      return 'idle'
    default:
      return 'unknown'
  }
}
