import type { Topics } from '../../../shared/contract/contract'
import type { ReviewDelta, ReviewState, ReviewSummary } from '../../../shared/contract/review'
import type { Draft } from '../../../shared/review/draft'
import { type Disposable, Emitter } from '../../../shared/lifetime'
import { RpcError } from '../../../shared/rpc/rpc'
import { stepFromJson, stepToJson } from '../../../shared/review/step-json'
import type { HostClient } from '../../state/host/client'
import { DraftSync, type Batch, type Followed, type OwnWork } from '../../../shared/review/draft-sync'
import { fetchDraft, type TextDraft, textOf } from './draft-fetching'

/** What the page knows of a review now. */
export type ReviewSessionState =
  | { readonly kind: 'loading'; readonly progress: number | undefined }
  /** The review no longer exists. */
  | { readonly kind: 'refused' }
  | {
      readonly kind: 'text'
      readonly summary: ReviewSummary
      /** False while only the head of a long text has come, which can be read but not worked on. */
      readonly isWhole: boolean
      /** How many lines the longer of its texts had when it came. */
      readonly lines: number
      readonly facts: TextDraft['facts']
      readonly offered: boolean
      readonly lineEndsOnly: boolean
      /** Own steps wait for the host, because the link is lost or it refused them. */
      readonly problem: string | null
      /** What became of it, once it is over. */
      readonly closed: string | null
    }
  | {
      readonly kind: 'binary'
      readonly summary: ReviewSummary
      readonly sizeBefore: number | null
      readonly sizeAfter: number
      readonly closed: string | null
    }

/** A review whose content has come. */
export type ShownSession = Extract<ReviewSessionState, { kind: 'text' | 'binary' }>

/** The review's content, once it has come. */
export function shownSession(state: ReviewSessionState): ShownSession | null {
  return state.kind === 'text' || state.kind === 'binary' ? state : null
}

/** Whether an answer to the whole file is wanted, now or when its turn comes. */
export function isAsking({ closed, summary }: ShownSession): boolean {
  return closed === null && (summary.phase === 'open' || summary.phase === 'queued')
}

/** Typing is collected this long before it is sent, in milliseconds. */
const gatherTime = 20
const mostSteps = 1000
/** The longest wait for a frame, in milliseconds: a hidden page has none. */
const longestFrame = 100
/** The pause before what the host could not take is sent again, longer each time; in milliseconds. */
const firstPause = 500
const longestPause = 10_000
const notTaken =
  "Your last edits haven't been recorded yet. Greenlight keeps trying. If this goes on, copy what you typed."

/**
 * One review as the page works on it: mirrors the topic `review`, sends the person's steps in order, one request at a
 * time, and tells the editor what to follow. Disposing it sends what is unsent; the review goes on.
 */
export class ReviewSession implements Disposable {
  readonly id: string
  readonly client: string
  #host: HostClient
  #subscription: Disposable
  #state: ReviewSessionState = { kind: 'loading', progress: undefined }
  #sync: DraftSync | null = null
  readonly #showsHead: boolean
  /** Deltas that came while a snapshot's texts were being fetched. */
  #waiting: ReviewDelta[] | null = null
  #loading = new AbortController()
  #timer: ReturnType<typeof setTimeout> | undefined
  #isSending = false
  #hasLeft = false
  /** How many times in a row the host could not take what was sent. */
  #failures = 0
  /** The revision after the last steps that the host took. */
  #stepped = 0
  readonly #states = new Emitter<ReviewSessionState>()
  readonly #follows = new Emitter<Followed>()
  readonly #settles = new Emitter<void>()

  /** Hears each new state. */
  readonly onState = this.#states.on
  /** Hears what an editor of the draft has to follow. */
  readonly onFollow = this.#follows.on
  readonly #comments = new Emitter<Pick<ReviewState, 'comments'> & Partial<Pick<ReviewState, 'earlier'>>>()
  /** Hears the comments that the host has; of a change the earlier ones are absent. */
  readonly onComments = this.#comments.on

  /** `showsHead`: the head of a long text becomes the state before the rest has come, which then is followed. */
  constructor(host: HostClient, id: string, showsHead = false) {
    this.#host = host
    this.id = id
    this.client = crypto.randomUUID()
    this.#showsHead = showsHead
    this.#subscription = this.#subscribe()
  }

  get state(): ReviewSessionState {
    return this.#state
  }

  /** The draft with the person's newest steps, or its head; null until one has come, and for binary files. */
  get draft(): Draft | null {
    return this.#sync?.draft ?? null
  }

  /** The newest revision that the page has seen, for a decision to name; null before the first snapshot. */
  get revision(): number | null {
    return 'summary' in this.#state ? Math.max(this.#state.summary.revision, this.#stepped) : null
  }

  /** Takes over what the editor has done, and sends it soon. */
  take(work: OwnWork): void {
    const followed = this.#sync?.adopt(work)
    this.#timer ??= setTimeout(() => this.#send(), gatherTime)
    if (followed) this.#follows.emit(followed)
  }

  /**
   * Sends what is unsent. Resolves to true when the host has every step; to false when it could not take one, did not
   * answer for `patience` milliseconds, or the review is over.
   */
  async settle(patience = 5000): Promise<boolean> {
    this.#send()
    if (this.#isSettled) return true
    const failures = this.#failures
    return new Promise((resolve) => {
      const end = (result: boolean) => {
        clearTimeout(timer)
        hearing.dispose()
        resolve(result)
      }
      const timer = setTimeout(() => end(false), patience)
      const hearing = this.#settles.on(() => {
        if (this.#isSettled) end(true)
        else if (isOver(this.#state) || this.#failures > failures) end(false)
      })
    })
  }

  /** To be called when the offered edits have been taken. */
  endOffer(): void {
    if (this.#state.kind === 'text') this.#setState({ ...this.#state, offered: false })
  }

  /** Sends everything now, without waiting for what is on its way; for a page that may be about to close. */
  flush(): void {
    this.#sendAll(false)
  }

  /**
   * Sends everything as this client's last word and then stays out: the host itself carries over what no longer fits.
   * `rejoin` takes that back.
   */
  leave(): void {
    if (this.#hasLeft) return
    this.#sendAll(true)
    this.#hasLeft = true
  }

  /** For a page that has come back after all. */
  rejoin(): void {
    if (!this.#hasLeft || isOver(this.#state)) return
    this.#hasLeft = false
    this.#resubscribe()
  }

  dispose(): void {
    this.leave()
    clearTimeout(this.#timer)
    this.#loading.abort()
    this.#subscription.dispose()
    this.#states.dispose()
    this.#follows.dispose()
    this.#settles.dispose()
    this.#comments.dispose()
  }

  #sendAll(isLast: boolean): void {
    clearTimeout(this.#timer)
    this.#timer = undefined
    if (this.#hasLeft) return
    const all = this.#sync?.lastBatch()
    if (!all) return
    this.#isSending = true
    void this.#request(all, isLast)
  }

  /** Whether the host has every step, and has said which revision they make. */
  get #isSettled(): boolean {
    return !this.#isSending && (this.#sync === null || this.#sync.isSettled)
  }

  #subscribe(): Disposable {
    return this.#host.subscribe(
      'review',
      { id: this.id },
      {
        snapshot: (data) => void this.#takeSnapshot(data),
        delta: (delta) => {
          if (this.#waiting) this.#waiting.push(delta)
          else this.#takeDelta(delta)
        },
        refused: () => this.#setState({ kind: 'refused' }),
      },
    )
  }

  #resubscribe(): void {
    this.#subscription.dispose()
    this.#subscription = this.#subscribe()
  }

  #setState(state: ReviewSessionState): void {
    this.#state = state
    this.#states.emit(state)
    this.#settles.emit()
  }

  async #takeSnapshot(data: Topics['review']['snapshot']): Promise<void> {
    this.#loading.abort()
    const loading = new AbortController()
    this.#loading = loading
    const { draft, summary, comments, earlier } = data
    this.#comments.emit({ comments, earlier })
    if (draft.kind === 'binary') {
      const { sizeBefore, sizeAfter } = draft
      this.#waiting = null
      this.#setState({ kind: 'binary', summary, sizeBefore, sizeAfter, closed: null })
      return
    }
    this.#waiting = []
    const known = draft.clients?.[this.client] ?? 0
    const { facts, offered, lineEndsOnly } = draft
    const told = {
      kind: 'text',
      summary,
      facts,
      offered,
      lineEndsOnly,
      closed: null,
    } as const
    if (draft.head && this.#showsHead && !this.#sync) {
      const { a, b, hunks, lines } = draft.head
      const head: Draft = { a: textOf(a), b: textOf(b), hunks }
      this.#sync = new DraftSync(this.client, draft.version, head, known)
      this.#setState({ ...told, isWhole: false, lines, problem: this.#problem })
      // Reading the rest takes long; the person sees the head meanwhile.
      await afterFrame()
      if (loading.signal.aborted) return
    }
    const fresh = await this.#fetchDraft(draft, loading.signal)
    // A newer snapshot has taken its place, or the link is lost and a newer one will come.
    if (!fresh || loading.signal.aborted) return
    const isFirst = this.#sync === null
    const followed = this.#sync?.reset(draft.version, fresh, known)
    this.#sync ??= new DraftSync(this.client, draft.version, fresh, known)
    const lines = Math.max(fresh.a.lines, fresh.b.lines)
    this.#setState({ ...told, isWhole: true, lines, problem: this.#problem })
    if (!isFirst && followed) this.#follows.emit(followed)
    const waiting = this.#waiting
    this.#waiting = null
    this.#isSending = false
    for (const delta of waiting) this.#takeDelta(delta)
    this.#send()
  }

  async #fetchDraft(draft: TextDraft, signal: AbortSignal): Promise<Draft | null> {
    try {
      return await fetchDraft(this.#host, draft, signal, (progress) => {
        if (!this.#sync) this.#setState({ kind: 'loading', progress })
      })
    } catch (error) {
      if (!(error instanceof RpcError)) throw error
      // The host has forgotten a handle; the next snapshot has a new one. After a lost link one comes anyway.
      if (error.code === 'failed' && !signal.aborted) this.#resubscribe()
      return null
    }
  }

  #takeDelta(delta: ReviewDelta): void {
    const state = this.#state
    if (state.kind === 'loading' || state.kind === 'refused') return
    switch (delta.kind) {
      case 'summary':
        this.#setState({ ...state, summary: delta.summary })
        return
      case 'offered':
        if (state.kind === 'text') this.#setState({ ...state, offered: true })
        return
      case 'comments':
        this.#comments.emit({ comments: delta.comments })
        return
      case 'closed':
        this.#setState({ ...state, closed: delta.how })
        // If the agent asks again, what was just typed is offered there.
        this.leave()
        return
      case 'steps':
        if (!this.#hasLeft) this.#takeSteps(delta)
    }
  }

  #takeSteps(delta: Extract<ReviewDelta, { kind: 'steps' }>): void {
    const sync = this.#sync
    if (!sync) return
    const steps = delta.steps.map(stepFromJson).filter((step) => step !== null)
    const isWhole = steps.length === delta.steps.length
    const followed = isWhole ? sync.receive(delta.version, delta.client, steps) : 'gap'
    if (followed === 'gap') {
      this.#resubscribe()
      return
    }
    if (followed) this.#follows.emit(followed)
    this.#settles.emit()
    this.#send()
  }

  #send(): void {
    clearTimeout(this.#timer)
    this.#timer = undefined
    if (this.#isSending || this.#hasLeft || isOver(this.#state)) return
    const batch = this.#sync?.nextBatch(mostSteps)
    if (!batch) return
    this.#isSending = true
    void this.#request(batch)
  }

  async #request(batch: Batch, isLast = false): Promise<void> {
    const sync = this.#sync
    const { version, after, steps } = batch
    const params = { id: this.id, client: this.client, version, after, steps: steps.map(stepToJson) }
    try {
      const answer = await this.#host.call('review.step', isLast ? { ...params, isLast } : params)
      if (this.#sync !== sync || this.#hasLeft) return
      this.#isSending = false
      this.#setFailures(0)
      if (answer.status === 'accepted') {
        this.#stepped = Math.max(this.#stepped, answer.revision ?? 0)
        // What the host took has come by the topic before this answer, or is in a snapshot that is being fetched.
        if (sync?.hasArrived(batch) === false && !this.#waiting) this.#resubscribe()
        else this.#send()
      } else if (answer.status === 'behind') {
        sync?.sendAgain()
        // The missing steps have come by the topic before this answer; if not, only a snapshot helps.
        if (sync && sync.version > version) this.#send()
        else this.#resubscribe()
      }
      this.#settles.emit()
    } catch (error) {
      this.#isSending = false
      if (!(error instanceof RpcError)) throw error
      // After a lost link a snapshot comes, which tells what has arrived.
      if (error.code === 'disconnected' || error.code === 'cancelled' || this.#hasLeft) return
      sync?.sendAgain()
      clearTimeout(this.#timer)
      this.#timer = setTimeout(() => this.#send(), Math.min(longestPause, firstPause * 2 ** this.#failures))
      this.#setFailures(this.#failures + 1)
    }
  }

  get #problem(): string | null {
    return this.#failures > 0 ? notTaken : null
  }

  #setFailures(count: number): void {
    const before = this.#problem
    this.#failures = count
    if (this.#state.kind === 'text' && this.#problem !== before) {
      this.#setState({ ...this.#state, problem: this.#problem })
    } else this.#settles.emit()
  }
}

/** Resolves when a frame has been painted, or soon if none is. */
function afterFrame(): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, longestFrame)
    requestAnimationFrame(() => {
      clearTimeout(timer)
      setTimeout(resolve)
    })
  })
}

function isOver(state: ReviewSessionState): boolean {
  return state.kind === 'refused' || (shownSession(state)?.closed ?? null) !== null
}
