import { stat } from 'node:fs/promises'
import { DisposableStack, type Disposable } from '../../../shared/lifetime'
import type { FileWatcher } from '../../core/files/watcher'
import { RepeatedLook } from '../../core/files/repeated-look'
import { SessionFile } from '../../core/history/session-file'
import { SessionFollower } from '../../core/history/session-follower'
import type { FileLine } from '../../core/history/session-line'
import { findSessionOfProcess, sessionNotes, type SessionOfProcess } from './session-of-process'
import { hearLine, type SessionKnowledge, type WritingManner } from './writing-manner'

/** How many messages of a session are looked at when it is first seen. */
const firstMessages = 200
/** Long lines hold a whole file or a picture, and are passed over. */
const longLines = {
  read: (_path: string, offset: number, bytes: number): Promise<FileLine> =>
    Promise.resolve({ offset, bytes, raw: null, record: undefined, flaw: 'too-long', head: '' }),
}

interface FollowerOptions {
  /** Where command lines keep their configuration. */
  configFolders: readonly string[]
  pid: number
  watcher: FileWatcher
  /** Called whenever more or something else is known. */
  tell: (manner: WritingManner) => void
}

/**
 * Follows the session file of one running command line, also into the next session that it begins, and tells how it
 * writes.
 */
export class MannerFollower implements Disposable {
  readonly #options: FollowerOptions
  readonly #owned = new DisposableStack()
  readonly #looks = this.#owned.add(new RepeatedLook(() => this.#look()))
  #path: string | null = null
  #lines: SessionFollower | null = null
  #knowledge: SessionKnowledge = { current: false }
  #told = '{}'
  #isDisposed = false

  constructor(options: FollowerOptions) {
    this.#options = options
    const { configFolders, pid, watcher } = options
    for (const path of sessionNotes(configFolders, pid)) {
      void watcher
        .watchFile(path, () => this.#looks.ask())
        .then((watched) => {
          this.#owned.add(watched)
          this.#looks.ask()
        })
    }
  }

  dispose(): void {
    this.#isDisposed = true
    this.#owned.dispose()
    this.#lines?.dispose()
  }

  async #look(): Promise<void> {
    const session = await findSessionOfProcess(this.#options.configFolders, this.#options.pid)
    if (session !== undefined && session.path !== this.#path) await this.#follow(session)
  }

  async #follow({ path, startedAt }: SessionOfProcess): Promise<void> {
    const begun = await stat(path).then(
      (found) => found.birthtimeMs,
      () => Number.POSITIVE_INFINITY,
    )
    if (this.#isDisposed) return
    this.#lines?.dispose()
    // A session that began in this process has no lines of an earlier one.
    this.#knowledge = { ...this.#knowledge, current: begun >= startedAt }
    const session = new SessionFile(path, longLines)
    const { watcher } = this.#options
    const lines = new SessionFollower({ session, watcher, messages: firstMessages })
    this.#path = path
    this.#lines = lines
    lines.onEvent((event) => {
      if (event.kind !== 'gone') this.#hear(event.kind === 'anew' ? event.page.lines : event.lines, startedAt)
    })
    const page = await lines.start()
    if (page.ok) this.#hear(page.value.lines, startedAt)
  }

  #hear(lines: readonly FileLine[], startedAt: number): void {
    for (const { record } of lines) this.#knowledge = hearLine(this.#knowledge, record, startedAt)
    const { current: _, ...manner } = this.#knowledge
    const text = JSON.stringify(manner)
    if (this.#isDisposed || text === this.#told) return
    this.#told = text
    this.#options.tell(manner)
  }
}
