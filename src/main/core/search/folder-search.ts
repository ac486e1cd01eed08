import { basename } from 'node:path'
import type { FoundFile, SearchQuery, SearchState } from '../../../shared/contract/search'
import { type Disposable, Emitter } from '../../../shared/lifetime'
import { systemCode } from '../files/file-failure'
import type { FileHits, SearchFolders, UnsavedText } from './search-job'

/** What a search needs from its window. */
export interface SearchSurroundings {
  folders(): readonly string[]
  /** Texts of open files that are not on disk yet. */
  unsaved(): Promise<readonly UnsavedText[]>
  /** Globs of files that are never searched. */
  leftOut(): readonly string[]
  /** A file's folder as the person reads it. */
  describeFolder(path: string): string
  search: SearchFolders
}

/** No more hits than this are kept. */
export const mostHits = 10_000
/** Hits found within this many milliseconds are told together; the first ones immediately. */
const gathering = 60

const nothingFound: Omit<SearchState, 'run' | 'query' | 'phase'> = {
  problem: null,
  hits: 0,
  isCut: false,
  skipped: { binary: 0, unreadable: 0, vanished: 0, longLines: 0 },
  files: [],
}

/** The search of one window: one at a time, its results kept until the next. */
export class FolderSearch implements Disposable {
  readonly #surroundings: SearchSurroundings
  readonly #deltas = new Emitter<Partial<SearchState>>()
  /** Tells a part of the state; `files` are only the new ones, unless `run` has changed. */
  readonly onDelta = this.#deltas.on
  #state: SearchState = { run: 0, query: null, phase: 'none', ...nothingFound }
  #running = new AbortController()
  #nextHit = 1
  #fresh: FoundFile[] = []
  #timer: NodeJS.Timeout | undefined

  constructor(surroundings: SearchSurroundings) {
    this.#surroundings = surroundings
  }

  get state(): SearchState {
    return this.#state
  }

  /** Starts a search that replaces the one before, and returns its number. */
  start(query: SearchQuery): number {
    this.#stop()
    const run = this.#state.run + 1
    this.#state = { run, query, phase: 'running', ...nothingFound }
    this.#nextHit = 1
    this.#fresh = []
    clearTimeout(this.#timer)
    this.#timer = undefined
    this.#deltas.emit(this.#state)
    void this.#search(query, this.#running.signal)
    return run
  }

  /** Ends the running search; what it found stays. */
  cancel(): void {
    if (this.#state.phase !== 'running') return
    this.#stop()
    this.#tell({ phase: 'cancelled' })
  }

  dispose(): void {
    this.#stop()
    clearTimeout(this.#timer)
    this.#deltas.dispose()
  }

  #stop(): void {
    this.#running.abort()
    this.#running = new AbortController()
  }

  async #search(query: SearchQuery, signal: AbortSignal): Promise<void> {
    try {
      await this.#searchFor(query, signal)
    } catch (error) {
      if (systemCode(error) === '') throw error
      // A full disk, for instance. A search that broke off must not look as if it were still running.
      if (!signal.aborted) this.#tell({ phase: 'failed', problem: 'The search failed. Try again.' })
    }
  }

  async #searchFor(query: SearchQuery, signal: AbortSignal): Promise<void> {
    const unsaved = await this.#surroundings.unsaved()
    if (signal.aborted) return
    const job = {
      query,
      folders: this.#surroundings.folders(),
      leftOut: this.#surroundings.leftOut(),
      unsaved,
    }
    const events = {
      found: (file: FileHits) => !signal.aborted && this.#take(file),
      skipped: (what: keyof SearchState['skipped']) => {
        if (signal.aborted) return
        const { skipped } = this.#state
        this.#state = { ...this.#state, skipped: { ...skipped, [what]: skipped[what] + 1 } }
        this.#tellSoon()
      },
    }
    const result = await this.#surroundings.search(job, events, signal)
    if (signal.aborted) return
    if (result.ok) this.#tell({ phase: 'done' })
    else this.#tell({ phase: 'failed', problem: result.failure.message })
  }

  #take({ path, isUnsaved, hits }: FileHits): boolean {
    const room = mostHits - this.#state.hits
    if (room <= 0) {
      this.#state = { ...this.#state, isCut: true }
      return false
    }
    const kept = hits.slice(0, room)
    this.#fresh.push({
      path,
      name: basename(path),
      folder: this.#surroundings.describeFolder(path),
      isUnsaved,
      hits: kept.map((hit) => ({ ...hit, id: this.#nextHit++ })),
    })
    const isCut = kept.length < hits.length
    this.#state = { ...this.#state, hits: this.#state.hits + kept.length, isCut }
    this.#tellSoon()
    return !isCut
  }

  #tellSoon(): void {
    if (this.#timer !== undefined) return
    // The first hits are told immediately.
    if (this.#state.files.length === 0 && this.#fresh.length > 0) return this.#tell({})
    this.#timer = setTimeout(() => this.#tell({}), gathering)
  }

  #tell(change: Partial<SearchState>): void {
    clearTimeout(this.#timer)
    this.#timer = undefined
    const files = this.#fresh
    this.#fresh = []
    const { hits, isCut, skipped } = this.#state
    this.#state = { ...this.#state, ...change, files: [...this.#state.files, ...files] }
    this.#deltas.emit({ hits, isCut, skipped, files, ...change })
  }
}
