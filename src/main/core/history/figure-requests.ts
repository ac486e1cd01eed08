import type { Disposable } from '../../../shared/lifetime'
import { WorkerPool } from '../workers/worker-pool'
import { type FileStamp, isSameFile } from './file-stamp'
import counterWorker from './session-counter-worker?modulePath'
import type { SessionFigures } from './figure-count'
import type { SessionList } from './session-list'
import type { SessionPlace } from './session-places'

/** How long the thread remembers what it has counted while nobody asks, in milliseconds. */
const idle = 600_000

/** Counts sessions in a thread when somebody sees them, the most recently requested first, and tells the list. */
export class FigureRequests implements Disposable {
  readonly #list: Pick<SessionList, 'fileOf' | 'setFigures'>
  readonly #pool = new WorkerPool<SessionPlace, SessionFigures>(counterWorker, { idle })
  /** Each file's stamp when it was counted, or when it failed and was not to be tried again until it changes. */
  readonly #counted = new Map<string, FileStamp>()
  #waiting = new Set<string>()
  #isCounting = false
  #isDisposed = false

  constructor(list: Pick<SessionList, 'fileOf' | 'setFigures'>) {
    this.#list = list
  }

  /** Requests these sessions' figures, unless counted since they last changed. Unknown ones are ignored. */
  want(ids: readonly string[]): void {
    this.#waiting = new Set([...ids, ...this.#waiting])
    if (!this.#isCounting) void this.#count()
  }

  dispose(): void {
    this.#isDisposed = true
    this.#waiting.clear()
    this.#pool.dispose()
  }

  async #count(): Promise<void> {
    this.#isCounting = true
    for (let id = this.#next(); id !== undefined; id = this.#next()) {
      const file = this.#list.fileOf(id)
      const before = this.#counted.get(id)
      if (!file || (before && isSameFile(before, file.stamp))) continue
      const { path, stamp } = file
      this.#counted.set(id, stamp)
      const figures = await this.#pool.run({ id, path })
      if (figures.ok && !this.#isDisposed) this.#list.setFigures(id, figures.value)
    }
    this.#isCounting = false
  }

  #next(): string | undefined {
    const [id] = this.#waiting
    if (id !== undefined) this.#waiting.delete(id)
    return id
  }
}
