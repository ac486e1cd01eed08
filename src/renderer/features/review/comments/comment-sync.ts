import { type StoreApi, createStore } from 'zustand/vanilla'
import type { ReviewState } from '../../../../shared/contract/review'
import type { Disposable } from '../../../../shared/lifetime'
import { type ReviewComment, mostComments } from '../../../../shared/review/comments'

/** What is typed is collected this long before it is sent, in milliseconds. */
const gatherTime = 300

/** The comments of a review as the page shows them. */
export interface ShownComments {
  readonly comments: readonly ReviewComment[]
  readonly earlier: ReviewState['earlier']
  /** The one that has just been begun, which takes the focus. */
  readonly begun: string | null
}

/** The person's comments on one review: what they type holds here, and is sent soon. */
export class CommentSync implements Disposable {
  readonly store: StoreApi<ShownComments> = createStore<ShownComments>()(() => ({
    comments: [],
    earlier: null,
    begun: null,
  }))
  readonly #send: (comments: readonly ReviewComment[]) => Promise<boolean>
  #timer: ReturnType<typeof setTimeout> | undefined
  #isUnsent = false
  #underWay = 0
  /** What the host had last, while something newer is here or on its way there. */
  #held: readonly ReviewComment[] | null = null
  #sending: Promise<boolean> = Promise.resolve(true)

  /** `send` resolves to whether the host has them. */
  constructor(send: (comments: readonly ReviewComment[]) => Promise<boolean>) {
    this.#send = send
  }

  /** What the host has; of a change the earlier ones are absent. */
  receive(comments: readonly ReviewComment[], earlier?: ReviewState['earlier']): void {
    if (earlier !== undefined) this.store.setState({ earlier })
    this.#held = comments
    this.#takeHeld()
  }

  /** Begins a comment, or goes to the one that these lines have. False if there are too many. */
  begin(lines: ReviewComment['lines'], quote: string): boolean {
    const { comments } = this.store.getState()
    const known = comments.find((one) => isSameLines(one.lines, lines) && one.quote === quote)
    if (known) {
      this.store.setState({ begun: known.id })
      return true
    }
    if (comments.length >= mostComments) return false
    const id = crypto.randomUUID()
    this.store.setState({ comments: [...comments, { id, lines, quote, text: '' }], begun: id })
    return true
  }

  /** The comment that was begun has the focus. */
  endBegin(): void {
    this.store.setState({ begun: null })
  }

  write(id: string, text: string): void {
    this.#set(this.store.getState().comments.map((one) => (one.id === id ? { ...one, text } : one)))
  }

  remove(id: string): void {
    const { comments } = this.store.getState()
    this.#set(comments.filter((one) => one.id !== id))
  }

  dismissEarlier(): void {
    this.store.setState({ earlier: null })
  }

  /** Sends them as they are: the person is writing something else about the review, so it isn't untouched any more. */
  touch(): void {
    this.#set(this.store.getState().comments)
  }

  /** Sends what is unsent. Resolves to whether the host has all of it. */
  settle(): Promise<boolean> {
    clearTimeout(this.#timer)
    this.#timer = undefined
    if (this.#isUnsent) this.#sending = this.#sendNow()
    return this.#sending
  }

  dispose(): void {
    void this.settle()
  }

  /** Shows what the host has, unless what is typed here or is on its way there is newer. */
  #takeHeld(): void {
    const comments = this.#held
    if (comments === null || this.#isUnsent || this.#underWay > 0) return
    this.#held = null
    const isNew = ({ id, text }: ReviewComment) =>
      text.trim() === '' && !comments.some((one) => one.id === id)
    // What has only been begun is not sent.
    this.store.setState({ comments: [...comments, ...this.store.getState().comments.filter(isNew)] })
  }

  #set(comments: readonly ReviewComment[]): void {
    this.store.setState({ comments })
    this.#isUnsent = true
    this.#timer ??= setTimeout(() => void this.settle(), gatherTime)
  }

  async #sendNow(): Promise<boolean> {
    this.#isUnsent = false
    const { comments } = this.store.getState()
    this.#underWay++
    const isSent = await this.#send(comments.filter(({ text }) => text.trim() !== ''))
    this.#underWay--
    // Tried again with whatever comes next.
    if (!isSent) this.#isUnsent = true
    // The host tells what it has before it answers.
    this.#takeHeld()
    return isSent
  }
}

function isSameLines(one: ReviewComment['lines'], other: ReviewComment['lines']): boolean {
  return one?.from === other?.from && one?.to === other?.to
}
