import type { Disposable } from '../../../shared/lifetime'
import { ownHead } from './branch'

export interface NestedOptions {
  /** A folder is the top of a repository of its own, or is it no longer. */
  tell(folder: string, isRepository: boolean): void
  /** For tests: see below, in milliseconds. */
  every?: number
}

/** So many folders are looked at again and again, the ones asked for last. */
const mostLooked = 500
/** So many repositories are told; each is asked by a git of its own. */
const mostFound = 30
/** What was looked at is looked at again so often. */
const usualInterval = 15_000

/**
 * Finds repositories and submodules in folders that somebody sees: one look at each, at `.git` alone, one after another.
 * Nothing is walked through, and nobody waits for it.
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

  /** Looks at folders; at those it knows, now and then by itself. */
  look(folders: readonly string[]): void {
    const fresh = folders.filter((folder) => !this.#looked.has(folder))
    for (const folder of fresh) this.#looked.add(folder)
    for (const oldest of this.#looked) {
      if (this.#looked.size <= mostLooked) break
      // What was found stays looked after.
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
