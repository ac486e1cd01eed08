import { dirname, join } from 'node:path'
import { type Disposable, Emitter } from '../../../shared/lifetime'
import type { WatchFile } from './deny-rule-files'

/** What git says about a file; `unknown` until it was asked, or if it can't be. */
export type GitWord = 'ignored' | 'not-ignored' | 'unknown'

/** Asks git which of some files it ignores; null if it can't be asked. Real paths. */
export type AskIgnored = (paths: readonly string[]) => Promise<ReadonlySet<string> | null>

/** How many files are remembered. */
const mostKnown = 2000
/** How many .gitignore files are watched. */
const mostWatched = 500

/** Remembers which files git ignores, and asks again when a .gitignore above them changes. */
export class IgnoredFiles implements Disposable {
  readonly #ask: AskIgnored
  readonly #watch: WatchFile
  readonly #changed = new Emitter<void>()
  readonly onChange = this.#changed.on
  readonly #known = new Map<string, GitWord>()
  readonly #watched = new Map<string, Promise<Disposable>>()
  #asking: Promise<void> = Promise.resolve()
  #wanted = new Set<string>()
  #generation = 0
  #disposed = false

  constructor(ask: AskIgnored, watch: WatchFile) {
    this.#ask = ask
    this.#watch = watch
  }

  /** What is known about a file now. An unknown one is asked about, and then told by `onChange`. */
  wordOn(path: string): GitWord {
    const known = this.#known.get(path)
    if (known !== undefined) return known
    void this.learn([path])
    return 'unknown'
  }

  /** Asks about the files that are not known yet. Resolves when they are. */
  learn(paths: readonly string[]): Promise<void> {
    const fresh = paths.filter((path) => !this.#known.has(path) && !this.#wanted.has(path))
    for (const path of fresh) this.#wanted.add(path)
    // Everything wanted by the time git is free is asked in one go.
    if (fresh.length > 0) this.#asking = this.#asking.then(() => this.#askWanted())
    return this.#asking
  }

  /** Forgets all answers, because they may have changed. */
  forget(): void {
    this.#generation += 1
    const paths = [...this.#known.keys()]
    this.#known.clear()
    this.#changed.emit()
    if (paths.length > 0) void this.learn(paths)
  }

  dispose(): void {
    this.#disposed = true
    for (const watch of this.#watched.values()) void watch.then((watching) => watching.dispose())
    this.#watched.clear()
    this.#changed.dispose()
  }

  async #askWanted(): Promise<void> {
    const paths = [...this.#wanted]
    if (paths.length === 0 || this.#disposed) return
    const generation = this.#generation
    await Promise.all(paths.map((path) => this.#watchAbove(path)))
    const ignored = await this.#ask(paths).catch(() => null)
    if (this.#disposed) return
    for (const path of paths) this.#wanted.delete(path)
    if (generation !== this.#generation) return void this.learn(paths)
    if (this.#known.size > mostKnown) this.#known.clear()
    for (const path of paths) {
      this.#known.set(path, ignored === null ? 'unknown' : ignored.has(path) ? 'ignored' : 'not-ignored')
    }
    this.#changed.emit()
  }

  async #watchAbove(path: string): Promise<void> {
    for (let folder = dirname(path); ; folder = dirname(folder)) {
      for (const name of ['.gitignore', join('.git', 'info', 'exclude')]) {
        const file = join(folder, name)
        if (this.#watched.has(file) || this.#watched.size >= mostWatched) continue
        const watch = this.#watch(file, () => this.forget())
        this.#watched.set(file, watch)
        await watch
      }
      if (dirname(folder) === folder) return
    }
  }
}
