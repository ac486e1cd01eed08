import { rm } from 'node:fs/promises'
import { type Disposable, DisposableStack, type Listen, disposable } from '../../../shared/lifetime'
import { SessionIndex } from '../../core/history/session-index'
import type { RememberedSession, SessionList } from '../../core/history/session-list'
import type { SearchNews as IndexNews } from '../../core/history/session-search'

/** Whether the person wants an index. */
export interface IndexWish {
  get(): boolean
  /** Hears of each change of the settings. */
  onChange: Listen<unknown>
}

/** What a search tells; `off`: there is no index to search in. */
export type SearchNews = Omit<IndexNews, 'phase'> & { phase: IndexNews['phase'] | 'off' }

/** Joins the list of sessions with their index, as long as the person wants one; otherwise nothing is kept. */
export class SessionIndexing implements Disposable {
  readonly #folder: string
  readonly #wish: IndexWish
  readonly #owned = new DisposableStack()
  #list: SessionList | null = null
  #index: SessionIndex | null = null
  /** Reads and deletes, one after another. */
  #loading: Promise<void> = Promise.resolve()
  #hasBegun = false
  #isSettled = false
  #isOver = false

  /** `folder` is the index's own. */
  constructor(folder: string, wish: IndexWish) {
    this.#folder = folder
    this.#wish = wish
    this.#owned.add(
      wish.onChange(() => {
        if (this.#hasBegun) void this.load()
      }),
    )
  }

  /** Follows a list, which is told of figures. */
  follow(list: SessionList): void {
    this.#list = list
    this.#owned.add(
      list.onChange(({ changed, gone }) => {
        // Who shows the list hears of it first.
        setImmediate(() => {
          this.#note(changed.map(({ id }) => id))
          this.#index?.forget(gone)
        })
      }),
    )
  }

  /** Reads what is known of an earlier time, or deletes it, as the person wishes. */
  load(): Promise<void> {
    this.#hasBegun = true
    this.#loading = this.#loading.then(() => this.#load())
    return this.#loading
  }

  /** All sessions are in the list now: what is kept of others is deleted. */
  settle(): void {
    this.#isSettled = true
    const entries = this.#list?.entries ?? []
    this.#note(entries.map(({ id }) => id))
    this.#index?.forgetOthers()
  }

  /** What is known of sessions from an earlier time. */
  remembered(): RememberedSession[] {
    return this.#index?.remembered() ?? []
  }

  /**
   * Looks for a text in the sessions of the list that are not hidden, the newest first, and tells at once how it
   * stands. It begins when all are listed, and ends when the disposable does.
   */
  search(typed: string, listed: Promise<void>, tell: (news: SearchNews) => void): Disposable {
    const searching = new DisposableStack()
    let isOver = false
    searching.add(disposable(() => (isOver = true)))
    const begin = async () => {
      await listed
      await this.#loading
      if (isOver) return
      if (!this.#index) return tell({ phase: 'off', searched: 0, of: 0, found: [] })
      const entries = this.#list?.entries ?? []
      const ids = entries.filter(({ hidden }) => !hidden).map(({ id }) => id)
      const search = this.#index.search(typed, ids)
      if (!search) return tell({ phase: 'done', searched: 0, of: 0, found: [] })
      searching.add(search)
      searching.add(search.onNews(tell))
      tell({ ...search.state, found: [] })
    }
    void begin()
    return searching
  }

  /** Writes what is known. */
  async flush(): Promise<void> {
    await this.#index?.flush()
  }

  dispose(): void {
    this.#isOver = true
    this.#owned.dispose()
    this.#index?.dispose()
  }

  async #load(): Promise<void> {
    if (this.#isOver) return
    const isWanted = this.#wish.get()
    if (!isWanted) {
      const index = this.#index
      this.#index = null
      if (index) await index.erase()
      else await rm(this.#folder, { recursive: true, force: true }).catch(() => undefined)
      for (const { id } of this.#list?.entries ?? []) this.#list?.setFigures(id, null)
      return
    }
    if (this.#index) return
    const index = new SessionIndex(this.#folder)
    await index.load()
    if (this.#isOver) return index.dispose()
    index.onFigures(({ id, figures }) => this.#list?.setFigures(id, figures))
    this.#index = index
    if (this.#isSettled) this.settle()
  }

  #note(ids: readonly string[]): void {
    const list = this.#list
    if (!list) return
    this.#index?.note(
      ids.flatMap((id) => {
        const file = list.fileOf(id)
        const entry = list.get(id)
        return file && entry ? [{ ...file, lastAt: entry.lastAt }] : []
      }),
    )
  }
}
