import type { Disposable } from '../../../shared/lifetime'
import { ownHead } from './branch'

export interface NestedOptions {
  /** A folder has become the top of its own repository, or is no longer. */
  tell(folder: string, isRepository: boolean): void
  /** For tests: `usualInterval`, in milliseconds. */
  every?: number
}

/** How many folders are checked repeatedly; the most recently asked for are kept. */
const mostLooked = 500
/** How many repositories are told; each costs a git process. */
const mostFound = 30
/** How often each folder is checked again, in milliseconds. */
const usualInterval = 15_000

/**
 * Finds repositories and submodules among folders that somebody sees, by checking only for `.git` in each, one after
 * another. Nothing is walked, and nobody waits for it.
 */
export class NestedRepositories implements Disposable {
  readonly #tell: NestedOptions['tell']
  readonly #looked = new Set<string>()
  readonly #found = new Set<string>()
  readonly #timer: NodeJS.Timeout
  #work: Promise<void> = Promise.resolve()
  #disposed = false

  constructor({ tell, every = usualInterval }: NestedOptions) {
    this.#tell = tell
    this.#timer = setInterval(() => this.#visitSoon([...this.#looked]), every).unref()
  }

  /** Checks folders; those already known are checked again now and then anyway. */
  look(folders: readonly string[]): void {
    const fresh = folders.filter((folder) => !this.#looked.has(folder))
    for (const folder of fresh) this.#looked.add(folder)
    for (const oldest of this.#looked) {
      if (this.#looked.size <= mostLooked) break
      // Repositories that were found are still checked.
      this.#looked.delete(oldest)
      if (this.#found.has(oldest)) this.#looked.add(oldest)
    }
    if (fresh.length > 0) this.#visitSoon(fresh)
  }

  dispose(): void {
    this.#disposed = true
    clearInterval(this.#timer)
  }

  #visitSoon(folders: readonly string[]): void {
    this.#work = this.#work.then(() => this.#visit(folders))
  }

  async #visit(folders: readonly string[]): Promise<void> {
    for (const folder of folders) {
      if (this.#disposed) return
      const isTop = (await ownHead(folder)) !== null
      if (this.#isOver() || isTop === this.#found.has(folder)) continue
      if (!isTop) this.#found.delete(folder)
      else if (this.#found.size < mostFound) this.#found.add(folder)
      else continue
      this.#tell(folder, isTop)
    }
  }

  #isOver(): boolean {
    return this.#disposed
  }
}
