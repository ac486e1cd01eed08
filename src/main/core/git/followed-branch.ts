import { type Disposable, type Listen, Emitter } from '../../../shared/lifetime'
import { findHead, readBranch } from './branch'

/** The branch that a folder is on, kept up to date. */
export class FollowedBranch implements Disposable {
  readonly #watch: (path: string, listener: () => void) => Promise<Disposable>
  readonly #changed = new Emitter<void>()
  readonly onChange: Listen<void> = this.#changed.on
  #name: string | null = null
  #watching: Disposable | null = null
  #disposed = false

  constructor(watch: (path: string, listener: () => void) => Promise<Disposable>) {
    this.#watch = watch
  }

  /** Null outside of git, and if no branch is checked out. */
  get name(): string | null {
    return this.#name
  }

  /** Follows another folder from now on, or none. */
  async follow(folder: string | undefined): Promise<void> {
    this.#watching?.dispose()
    this.#watching = null
    const head = folder === undefined ? null : await findHead(folder)
    const look = async () => {
      const name = head === null ? null : await readBranch(head)
      if (name === this.#name || this.#disposed) return
      this.#name = name
      this.#changed.emit()
    }
    if (head !== null) {
      const watching = await this.#watch(head, () => void look())
      if (this.#disposed) watching.dispose()
      else this.#watching = watching
    }
    await look()
  }

  dispose(): void {
    this.#disposed = true
    this.#watching?.dispose()
    this.#changed.dispose()
  }
}
