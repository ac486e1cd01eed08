import type { AttentionTarget } from '../../../shared/contract/attention'
import { type Disposable, Emitter } from '../../../shared/lifetime'

/** Something that waits for the person. The same id is the same waiting, however often it is said. */
export interface Waiting {
  id: string
  /** Who or what waits, as a sentence of a few words. */
  title: string
  /** What for; one line. */
  body: string
  target: AttentionTarget
}

/** What the person is called for: one thing, or several at once, with the first of them to look at. */
export interface CalledFor {
  title: string
  body: string
  target: AttentionTarget
}

/** `called`: `told` says that the system has shown it. `show`: bring it up, and leave the focus where it is. */
export type AttentionNews =
  | ({ kind: 'called'; told: boolean } & CalledFor)
  | { kind: 'show'; target: AttentionTarget }

/** What comes within so many milliseconds is one call. */
const gathering = 300
/** So many lines has a call at most; the rest is a number. */
const mostLines = 4

/**
 * What waits for the person in one window, and when they are to be called. They are called once for each thing, and
 * only while they do not look at the window: what begins to wait before their eyes is seen there.
 */
export class Attention implements Disposable {
  readonly #calls = new Emitter<CalledFor>()
  readonly #counts = new Emitter<number>()
  readonly #news = new Emitter<AttentionNews>()
  #waiting = new Map<string, Waiting>()
  #fresh: Waiting[] = []
  #timer: NodeJS.Timeout | undefined
  #looking = false

  /** The person is to be called. */
  readonly onCall = this.#calls.on
  /** Another number of things waits. */
  readonly onCount = this.#counts.on
  /** What the page has to do about a call. */
  readonly onNews = this.#news.on

  /** How many things wait. */
  get count(): number {
    return this.#waiting.size
  }

  get looking(): boolean {
    return this.#looking
  }

  /** Tells all that waits now. What was not among it before is new. */
  update(waiting: readonly Waiting[]): void {
    const before = this.#waiting
    this.#waiting = new Map(waiting.map((one) => [one.id, one]))
    this.#fresh = this.#fresh.filter(({ id }) => this.#waiting.has(id))
    if (!this.#looking) {
      this.#fresh.push(...waiting.filter(({ id }) => !before.has(id)))
      if (this.#fresh.length > 0) this.#timer ??= setTimeout(() => this.#call(), gathering)
    }
    if (this.#waiting.size !== before.size) this.#counts.emit(this.#waiting.size)
  }

  /** Whether the person looks at the window. */
  look(looking: boolean): void {
    this.#looking = looking
    if (looking) this.#fresh = []
  }

  /** Tells the page of a call, or that the person wants to see what they were called for. */
  tell(news: AttentionNews): void {
    this.#news.emit(news)
  }

  dispose(): void {
    clearTimeout(this.#timer)
    this.#calls.dispose()
    this.#counts.dispose()
    this.#news.dispose()
  }

  #call(): void {
    this.#timer = undefined
    // The newest words: what waits may have said more meanwhile.
    const fresh = this.#fresh.flatMap(({ id }) => this.#waiting.get(id) ?? [])
    this.#fresh = []
    const [first, ...others] = fresh
    if (!first || this.#looking) return
    if (others.length === 0)
      return this.#calls.emit({ title: first.title, body: first.body, target: first.target })
    const lines = fresh
      .slice(0, mostLines)
      .map(({ title, body }) => (body === '' ? title : `${title}: ${body}`))
    const more = fresh.length - lines.length
    const body = [...lines, ...(more > 0 ? [`and ${more} more`] : [])].join('\n')
    this.#calls.emit({ title: `${fresh.length} things are waiting for you`, body, target: first.target })
  }
}
