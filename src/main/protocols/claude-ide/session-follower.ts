import { stat } from 'node:fs/promises'
import { DisposableStack, type Disposable } from '../../../shared/lifetime'
import type { FileWatcher } from '../../core/files/watcher'
import { AppendedLines } from './appended-lines'
import { findSessionFile, sessionNotes, type SessionFile } from './session-file'
import { hearLine, type SessionKnowledge, type WritingManner } from './writing-manner'

/** One session file that is read as it grows. */
interface Followed extends SessionFile {
  lines: AppendedLines
  watched: DisposableStack
}

/**
 * Follows the session file of one running command line, also into the next session that it begins, and tells how it
 * writes. Only what is appended is read, when the watcher has seen that something was.
 */
export class SessionFollower implements Disposable {
  readonly #configFolders: readonly string[]
  readonly #pid: number
  readonly #watcher: FileWatcher
  readonly #tell: (manner: WritingManner) => void
  readonly #owned = new DisposableStack()
  #followed: Followed | undefined
  #knowledge: SessionKnowledge = { current: false }
  #told = '{}'
  #disposed = false
  /** The looks, one after another. */
  #looking: Promise<void> = Promise.resolve()

  constructor(options: {
    /** Where command lines keep their configuration. */
    configFolders: readonly string[]
    pid: number
    watcher: FileWatcher
    /** Called whenever more or something else is known. */
    tell: (manner: WritingManner) => void
  }) {
    this.#configFolders = options.configFolders
    this.#pid = options.pid
    this.#watcher = options.watcher
    this.#tell = options.tell
    for (const path of sessionNotes(this.#configFolders, this.#pid)) {
      void this.#watch(path, this.#owned).then(() => this.#look())
    }
  }

  dispose(): void {
    this.#disposed = true
    this.#owned.dispose()
    this.#followed?.watched.dispose()
  }

  async #watch(path: string, owner: DisposableStack): Promise<void> {
    owner.add(await this.#watcher.watchFile(path, () => this.#look()))
  }

  #look(): void {
    this.#looking = this.#looking.then(() => this.#read())
  }

  async #read(): Promise<void> {
    if (this.#disposed) return
    const session = await findSessionFile(this.#configFolders, this.#pid)
    if (session !== undefined && session.path !== this.#followed?.path) await this.#follow(session)
    const followed = this.#followed
    if (this.#disposed || !followed) return
    await followed.lines.read((line) => {
      this.#knowledge = hearLine(this.#knowledge, line, followed.startedAt)
    })
    this.#say()
  }

  async #follow(session: SessionFile): Promise<void> {
    this.#followed?.watched.dispose()
    const watched = new DisposableStack()
    this.#followed = { ...session, lines: new AppendedLines(session.path), watched }
    await this.#watch(session.path, watched)
    // A session that began in this process has no lines of an earlier one.
    const begun = await stat(session.path).then(
      (found) => found.birthtimeMs,
      () => Number.POSITIVE_INFINITY,
    )
    this.#knowledge = { ...this.#knowledge, current: begun >= session.startedAt }
    if (this.#disposed) watched.dispose()
  }

  #say(): void {
    const { current: _, ...manner } = this.#knowledge
    const text = JSON.stringify(manner)
    if (this.#disposed || text === this.#told) return
    this.#told = text
    this.#tell(manner)
  }
}
