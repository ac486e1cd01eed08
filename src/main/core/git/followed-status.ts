import { dirname, join, sep } from 'node:path'
import { type Disposable, Emitter } from '../../../shared/lifetime'
import type { FileWatcher } from '../files/watcher'
import { findHead, ownHead } from './branch'
import { type GitStatus, readStatus } from './status'
import type { GitProgram } from './work-tree'

export interface FollowedStatusOptions {
  folder: string
  program: GitProgram
  watcher: Pick<FileWatcher, 'watchFile' | 'onActivity'>
  report(error: unknown): void
  /** Whether the folder counts only while it is the top of its repository. */
  isTop?: boolean
  /** For tests: `usualIdle`, in milliseconds. */
  idle?: number
}

/** Git is asked after this long without a sign of change, or after `longest` at the latest; in milliseconds. */
const quiet = 150
const longest = 1000
/** The pause after asking git is this many times as long as git took. */
const pauseFactor = 4
/** Without any sign of change git is asked this often, but for at most a hundredth of the time. */
const usualIdle = 5000
const idleFactor = 100
/** However long git takes, it is asked again after this. */
const longestIdle = 300_000

/**
 * How one folder stands in its repository, kept up to date: git is asked when watched files change, when its own do,
 * and now and then without any sign. One git process runs at a time, and nothing waits for it.
 */
export class FollowedStatus implements Disposable {
  readonly folder: string
  readonly #options: FollowedStatusOptions
  readonly #changed = new Emitter<void>()
  readonly onChange = this.#changed.on
  #status: GitStatus | null = null
  /** The last answer was none, although there is a repository. */
  #inDoubt = false
  #head: string | null = null
  #watches: Disposable[] = []
  readonly #activity: Disposable
  #timer: NodeJS.Timeout | undefined
  #firstSign: number | null = null
  #asking = false
  #again = false
  #lastTook = 0
  #lastEnd = 0
  #disposed = false

  constructor(options: FollowedStatusOptions) {
    this.#options = options
    this.folder = options.folder
    const below = options.folder.endsWith(sep) ? options.folder : options.folder + sep
    this.#activity = options.watcher.onActivity((folders) => {
      for (const folder of folders) {
        if (folder === options.folder || folder.startsWith(below)) return this.touch()
      }
    })
    void this.#ask()
  }

  /** As last seen; null if the folder is in no repository, or before the first answer. */
  get status(): GitStatus | null {
    return this.#status
  }

  /** Something may have changed. */
  touch(): void {
    if (this.#disposed) return
    if (this.#asking) {
      this.#again = true
      return
    }
    const now = performance.now()
    this.#firstSign ??= now
    const rested = this.#lastEnd + this.#lastTook * pauseFactor
    const due = Math.max(rested, Math.min(now + quiet, this.#firstSign + longest))
    this.#schedule(due - now)
  }

  dispose(): void {
    this.#disposed = true
    clearTimeout(this.#timer)
    this.#activity.dispose()
    this.#unwatch()
    this.#changed.dispose()
  }

  #schedule(delay: number): void {
    clearTimeout(this.#timer)
    this.#timer = setTimeout(() => void this.#ask(), Math.max(0, delay)).unref()
  }

  async #ask(): Promise<void> {
    this.#asking = true
    this.#firstSign = null
    const begun = performance.now()
    try {
      const { folder, program, isTop } = this.#options
      await this.#watchHead(isTop ? await ownHead(folder) : await findHead(folder))
      const found = this.#head === null ? null : await readStatus(folder, program)
      if (this.#isDisposed()) return
      // A git that fails once while other things run doesn't mean that the repository is gone: it is asked again first.
      const isInDoubt = found === null && this.#head !== null && this.#status !== null && !this.#inDoubt
      this.#inDoubt = isInDoubt
      if (isInDoubt) {
        this.#again = true
        return
      }
      const isNew = !isSameStatus(this.#status, found)
      this.#status = found
      if (isNew) this.#changed.emit()
    } catch (error) {
      this.#options.report(error)
    } finally {
      this.#asking = false
      this.#lastEnd = performance.now()
      this.#lastTook = this.#lastEnd - begun
      if (!this.#isDisposed()) {
        if (this.#again) {
          this.#again = false
          this.touch()
        } else {
          const idle = Math.min(longestIdle, Math.max(usualIdle, this.#lastTook * idleFactor))
          this.#schedule(this.#options.idle ?? idle)
        }
      }
    }
  }

  #isDisposed(): boolean {
    return this.#disposed
  }

  /** Git's own files show when a commit, checkout or fetch has happened. */
  async #watchHead(head: string | null): Promise<void> {
    if (head === this.#head) return
    this.#head = head
    this.#unwatch()
    if (head === null) return
    const touch = () => this.touch()
    const watches = await Promise.all(
      ['HEAD', 'index', 'FETCH_HEAD'].map((name) =>
        this.#options.watcher.watchFile(join(dirname(head), name), touch),
      ),
    )
    if (this.#disposed) for (const watch of watches) watch.dispose()
    else this.#watches = watches
  }

  #unwatch(): void {
    for (const watch of this.#watches.splice(0)) watch.dispose()
  }
}

function isSameStatus(one: GitStatus | null, other: GitStatus | null): boolean {
  if (one === null || other === null) return one === other
  if (one.top !== other.top || one.isPartial !== other.isPartial || one.marks.size !== other.marks.size)
    return false
  if (JSON.stringify(one.head) !== JSON.stringify(other.head)) return false
  for (const [path, mark] of one.marks) if (other.marks.get(path) !== mark) return false
  return true
}
