import { type Disposable, Emitter, type Listen } from '../../../shared/lifetime'
import type { IndexAnswer, SearchedSession } from './session-index-worker'
import type { SessionHits } from './text-search'

/** What a search tells. Of `found` each session comes once. */
export interface SearchNews {
  found: ({ id: string } & SessionHits)[]
  /** So many of the sessions have been looked through, of so many. */
  searched: number
  of: number
  /** `cut`: there are more hits than are told. `failed`: the search has broken off. */
  phase: 'running' | 'done' | 'cut' | 'failed'
}

/** No more hits than this are told. */
export const mostHits = 500

interface SearchPort {
  /** How much text a session has; null where it is not indexed. */
  bytesOf(id: string): number | null
  begin(): void
  add(sessions: readonly SearchedSession[]): void
  end(): void
}

/** One search through the texts of sessions. Disposing of it cancels it. */
export class SessionSearch implements Disposable {
  readonly #port: SearchPort
  readonly #ids: readonly string[]
  /** Those that have to be indexed first. */
  readonly #awaited: Set<string>
  readonly #news = new Emitter<SearchNews>()
  readonly onNews: Listen<SearchNews> = this.#news.on
  #passed = 0
  #searched = 0
  #hits = 0
  #phase: SearchNews['phase'] = 'running'

  constructor(ids: readonly string[], port: SearchPort) {
    this.#ids = ids
    this.#port = port
    this.#awaited = new Set(ids.filter((id) => port.bytesOf(id) === null))
  }

  /** How it stands, without what was found. */
  get state(): Omit<SearchNews, 'found'> {
    return { searched: this.#searched + this.#passed, of: this.#ids.length, phase: this.#phase }
  }

  start(): void {
    this.#port.begin()
    this.#add(this.#ids.filter((id) => !this.#awaited.has(id)))
    this.#endWhenDone()
  }

  /** A session has been indexed. */
  indexed(id: string): void {
    if (!this.#awaited.has(id)) return
    if (this.#port.bytesOf(id) === null) return this.passOver(id)
    this.#awaited.delete(id)
    this.#add([id])
  }

  /** A session that is waited for will not come. */
  passOver(id: string): void {
    if (!this.#awaited.delete(id)) return
    this.#passed++
    this.#endWhenDone()
    this.#tell([])
  }

  hear({ searched, sessions }: Extract<IndexAnswer, { kind: 'found' }>): void {
    if (this.#phase !== 'running') return
    this.#searched += searched
    const found: SearchNews['found'] = []
    for (const { id, hits, isCut } of sessions) {
      const room = mostHits - this.#hits
      const kept = hits.slice(0, room)
      this.#hits += kept.length
      if (kept.length > 0) found.push({ id, hits: kept, isCut: isCut || kept.length < hits.length })
      if (kept.length < hits.length) this.#phase = 'cut'
    }
    if (this.#phase === 'running') this.#endWhenDone()
    else this.#port.end()
    this.#tell(found)
  }

  fail(): void {
    if (this.#phase !== 'running') return
    this.#phase = 'failed'
    this.#port.end()
    this.#tell([])
  }

  dispose(): void {
    this.#news.dispose()
    this.#port.end()
  }

  #add(ids: readonly string[]): void {
    const sessions = ids.map((id) => ({ id, bytes: this.#port.bytesOf(id) ?? 0 }))
    if (sessions.length > 0) this.#port.add(sessions)
  }

  #endWhenDone(): void {
    if (this.#phase !== 'running' || this.#searched + this.#passed < this.#ids.length) return
    this.#phase = 'done'
    this.#port.end()
  }

  #tell(found: SearchNews['found']): void {
    this.#news.emit({ ...this.state, found })
  }
}
