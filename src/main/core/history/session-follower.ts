import type { FileHandle } from 'node:fs/promises'
import { type Disposable, DisposableStack, Emitter, type Listen } from '../../../shared/lifetime'
import type { Result } from '../../../shared/result'
import { type FileFailure, systemCode } from '../files/file-failure'
import { readStretch } from '../files/file-pieces'
import { withFile } from '../files/regular-file'
import type { FileWatcher } from '../files/watcher'
import { FoundLines } from './search/found-lines'
import { RepeatedLook } from '../files/repeated-look'
import type { SessionFile, SessionPage } from './session-file'
import type { FileLine } from './session-line'

/**
 * What happened to a followed session. `appended`: new lines at its end, in order; the last one told may be told again,
 * at the same place, if it has grown. `anew`: the file was replaced, cut or overwritten; everything read before is
 * void, and `page` is its last page. `gone`: the file is gone; it may come back, as `anew`.
 */
export type SessionEvent =
  | { kind: 'appended'; lines: FileLine[] }
  | { kind: 'anew'; page: SessionPage }
  | { kind: 'gone' }

/** How much is read at a time, in bytes. */
const chunk = 256 * 1024
/** How many bytes before the end of what was read are checked, to notice that the file was overwritten. */
const checked = 4096

interface Place {
  /** Device and inode. */
  file: string
  found: FoundLines
  /** The bytes before the end of what was read. */
  before: Buffer
  /** When the file had last changed once all of it was read, in nanoseconds. */
  changedAt: bigint
}

/**
 * Follows one session file: first its last page, then what is appended to it. When the watcher sees a change, only what
 * is new is read, in bounded pieces.
 */
export class SessionFollower implements Disposable {
  readonly #session: SessionFile
  readonly #messages: number
  readonly #watcher: Pick<FileWatcher, 'watchFile'>
  readonly #events = new Emitter<SessionEvent>()
  /** Tells what happens after `start`, in order. */
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

  /** Returns the last page and begins to follow. To be called once. */
  async start(): Promise<Result<SessionPage, FileFailure>> {
    const { path } = this.#session
    // Watched before it is read, so that no change is missed.
    this.#owned.add(await this.#watcher.watchFile(path, () => this.#looks.ask()))
    const page = await this.#session.readLast(this.#messages)
    if (page.ok) this.#begin(page.value)
    else this.#isGone = true
    this.#looks.ask()
    return page
  }

  /** Settles when everything there at the time of the call has been told. */
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

  /** Continues reading where it stopped. False if it is no longer the same file. */
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
    // For what was appended during the read.
    this.#looks.ask()
  }

  #tell(event: SessionEvent): void {
    if (!this.#isDisposed) this.#events.emit(event)
  }
}
