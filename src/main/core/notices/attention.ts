import type { AttentionTarget } from '../../../shared/contract/attention'
import { type Disposable, Emitter } from '../../../shared/lifetime'

/** Something that waits for the person. The same id means the same thing, however often it is told. */
export interface Waiting {
  id: string
  /** Who or what waits, as a sentence of a few words. */
  title: string
  /** What for; one line. */
  body: string
  target: AttentionTarget
}

/** What the person is called for: one thing, or several together, and the first of them to open. */
export interface CalledFor {
  title: string
  body: string
  target: AttentionTarget
}

/** `called`: `told` says whether the system has shown it. `show`: bring it up without moving the focus. */
export type AttentionNews =
  | ({ kind: 'called'; told: boolean } & CalledFor)
  | { kind: 'show'; target: AttentionTarget }

/** What begins to wait within this many milliseconds makes one call. */
const gathering = 300
/** A call lists at most this many lines; the rest is a number. */
const mostLines = 4

/**
 * What waits for the person in one window, and when to call them. They are called once for each thing, and only if they
 * weren't looking at the window when it began to wait.
 */
export class Attention implements Disposable {
  readonly #calls = new Emitter<CalledFor>()
  readonly #counts = new Emitter<number>()
  readonly #news = new Emitter<AttentionNews>()
  #waiting = new Map<string, Waiting>()
  #fresh: Waiting[] = []
  #timer: NodeJS.Timeout | undefined
  #looking = false

  /** The person has to be called. */
  readonly onCall = this.#calls.on
  /** The number of things that wait has changed. */
  readonly onCount = this.#counts.on
  /** What the page has to do about a call. */
  readonly onNews = this.#news.on

  get count(): number {
    return this.#waiting.size
  }

  /** Takes everything that waits now. What was not in the last list is new. */
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

  /** Sets whether the person is looking at the window. */
  look(looking: boolean): void {
    this.#looking = looking
    if (looking) this.#fresh = []
  }

  /** Tells the page about a call, or that the person wants to see what they were called for. */
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
    // Read again, because the text of what waits may have changed.
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
