import type { FileHandle } from 'node:fs/promises'
import { type Disposable, DisposableStack, Emitter, type Listen } from '../../../shared/lifetime'
import type { Result } from '../../../shared/result'
import { type FileFailure, systemCode } from '../files/file-failure'
import { readStretch } from '../files/file-pieces'
import { withFile } from '../files/regular-file'
import type { FileWatcher } from '../files/watcher'
import { FoundLines } from './found-lines'
import { RepeatedLook } from './repeated-look'
import type { SessionFile, SessionPage } from './session-file'
import type { FileLine } from './session-line'

/**
 * What became of a followed session. `appended`: lines at its end, in order; the last one told may be told once more,
 * at the same place, should it have grown. `anew`: another file took its place, it was cut or written over; all that
 * was read of it is void, and `page` is its last page. `gone`: there is no file any more; it may come back, `anew`.
 */
export type SessionEvent =
  | { kind: 'appended'; lines: FileLine[] }
  | { kind: 'anew'; page: SessionPage }
  | { kind: 'gone' }

/** So much is read at once, in bytes. */
const chunk = 256 * 1024
/** So many bytes before the place up to which a file was read are looked at again, to notice that it was written over. */
const checked = 4096

interface Place {
  /** Device and inode. */
  file: string
  found: FoundLines
  /** The bytes before the place up to which it was read. */
  before: Buffer
  /** As it was when all of it had been read, in nanoseconds. */
  changedAt: bigint
}

/**
 * Follows one session file: its last page first, then what is appended, as it is written. Only what is new is read, in
 * bounded pieces, when the watcher has seen that the file changed.
 */
export class SessionFollower implements Disposable {
  readonly #session: SessionFile
  readonly #messages: number
  readonly #watcher: Pick<FileWatcher, 'watchFile'>
  readonly #events = new Emitter<SessionEvent>()
  /** Hears what happens after `start`, in order. */
  readonly onEvent: Listen<SessionEvent> = this.#events.on
  readonly #owned = new DisposableStack()
  #place: Place | null = null
  #isGone = false
  #isDisposed = false
  readonly #looks = new RepeatedLook(() => this.#look())

  constructor(options: {
    session: SessionFile
    watcher: Pick<FileWatcher, 'watchFile'>
    /** How many messages the first page has. */
    messages: number
  }) {
    this.#session = options.session
    this.#watcher = options.watcher
    this.#messages = options.messages
  }

  /** Gives the last page and begins to follow. To be called once. */
  async start(): Promise<Result<SessionPage, FileFailure>> {
    const { path } = this.#session
    // Watched before it is read, so that nothing falls between.
    this.#owned.add(await this.#watcher.watchFile(path, () => this.#looks.ask()))
    const page = await this.#session.readLast(this.#messages)
    if (page.ok) this.#begin(page.value)
    else this.#isGone = true
    this.#looks.ask()
    return page
  }

  /** Settles when all that was there at the call has been told. */
  settled(): Promise<void> {
    return this.#looks.settled()
  }

  dispose(): void {
    this.#isDisposed = true
    this.#looks.dispose()
    this.#owned.dispose()
    this.#events.dispose()
  }

  #begin(page: SessionPage): void {
    const found = new FoundLines(page.to)
    this.#place = { file: page.file, found, before: Buffer.alloc(0), changedAt: -1n }
    this.#isGone = false
  }

  async #look(): Promise<void> {
    try {
      await withFile(this.#session.path, async (file) => {
        if (!(await this.#readNew(file))) await this.#tellAnew()
      })
    } catch (error) {
      if (systemCode(error) === '') throw error
      if (!this.#isGone) this.#tell({ kind: 'gone' })
      this.#isGone = true
    }
  }

  /** Reads on where it was left. False where that is not the file any more that was read. */
  async #readNew(file: FileHandle): Promise<boolean> {
    const place = this.#place
    const stat = await file.stat({ bigint: true })
    const size = Number(stat.size)
    if (!place || this.#isGone || place.file !== `${stat.dev} ${stat.ino}`) return false
    const { found } = place
    if (size < found.at) return false
    if (size === found.at && place.changedAt === stat.mtimeNs) return true
    const { before } = place
    if (before.length > 0) {
      const again = await readStretch(file, found.at - before.length, found.at)
      if (!again.equals(before)) return false
    }
    while (!this.#isDisposed && (await found.read(file, size, chunk))) await this.#tellFound(found)
    found.pause()
    if (found.isTakenBack) return false
    await this.#tellFound(found)
    place.before = await readStretch(file, Math.max(0, found.at - checked), found.at)
    place.changedAt = stat.mtimeNs
    return true
  }

  async #tellFound(found: FoundLines): Promise<void> {
    const lines = found.lines.splice(0)
    if (lines.length > 0) this.#tell({ kind: 'appended', lines: await this.#session.readLong(lines) })
  }

  async #tellAnew(): Promise<void> {
    const page = await this.#session.readLast(this.#messages)
    if (!page.ok) {
      if (!this.#isGone) this.#tell({ kind: 'gone' })
      this.#isGone = true
      return
    }
    this.#begin(page.value)
    this.#tell({ kind: 'anew', page: page.value })
    // What came while it was read.
    this.#looks.ask()
  }

  #tell(event: SessionEvent): void {
    if (!this.#isDisposed) this.#events.emit(event)
  }
}
