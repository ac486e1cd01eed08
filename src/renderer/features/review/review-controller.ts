import { createStore, type StoreApi } from 'zustand/vanilla'
import { handNow, type Hand } from '../../state/window/last-input'
import type { Calls } from '../../../shared/contract/contract'
import type { ReviewSummary } from '../../../shared/contract/review'
import { type ReviewComment, longestQuote } from '../../../shared/review/comments'
import { findHunk } from '../../../shared/review/draft'
import { type Disposable, DisposableStack } from '../../../shared/lifetime'
import { attempt } from '../../state/host/calls'
import { client } from '../../state/host/client'
import { announce } from '../../ui/browser/live-region'
import { countOf } from '../../ui/wording/number-format'
import { countsOf } from './draft-counts'
import type { Followed } from '../../../shared/review/draft-sync'
import type { Look, Picture } from './text/draft-picture'
import { CommentSync } from './comments/comment-sync'
import { isOtherQuestion } from './other-question'
import { PressGuard } from '../../ui/browser/press-guard'
import { ReviewEditor } from './text/review-editor'
import { ReviewSession, type ReviewSessionState, shownSession } from './review-session'

/** Everything that the view of a review shows. */
export interface ReviewModel {
  readonly session: ReviewSessionState
  /** Null until the text is shown, and for binary files. */
  readonly picture: Picture | null
  /** The review has been visible for long enough to be decided. */
  readonly isReady: boolean
  /** A call that decides the review is on its way. */
  readonly isBusy: boolean
  /** What became of the last thing asked for. */
  readonly told: { readonly sentence: string; readonly isFailure: boolean } | null
  /** The person wants decisions to count although they can't be recorded. */
  readonly insists: boolean
}

/**
 * Hears that the person has decided the review, and by which hand, unless they have pressed something else meanwhile;
 * puts the focus where it belongs then.
 */
export type HearDecided = (review: ReviewSummary, hand: Hand) => void

/** The calls that end or carry on a whole review and name what they saw by its revision. */
type RevisionCall =
  | 'review.accept'
  | 'review.reject'
  | 'review.keep'
  | 'review.discard'
  | 'review.writeMyself'
  | 'review.takeOffered'

/**
 * Everything a person can do with one review, behind buttons and commands alike. Holds the session and the editor,
 * and the state that the view shows.
 */
export class ReviewController implements Disposable {
  readonly store: StoreApi<ReviewModel>
  readonly guard = new PressGuard()
  readonly session: ReviewSession
  readonly comments: CommentSync
  readonly #onDecided: HearDecided
  readonly #owned = new DisposableStack()
  #editor: ReviewEditor | null = null
  #place: HTMLElement | null = null
  #look: Look
  /** How many times others have changed what is asked. */
  #othersChanges = 0

  /** `showsHead`: the head of a long text may be shown before the rest is there, which comes below it. */
  constructor(id: string, look: Look, onDecided: HearDecided, showsHead: boolean) {
    this.#look = look
    this.#onDecided = onDecided
    this.session = this.#owned.add(new ReviewSession(client, id, showsHead))
    this.store = createStore<ReviewModel>()(() => ({
      session: this.session.state,
      picture: null,
      isReady: false,
      isBusy: false,
      told: null,
      insists: false,
    }))
    this.comments = this.#owned.add(
      new CommentSync(
        async (comments) => (await attempt('review.comment', { id, comments: [...comments] })).ok,
      ),
    )
    this.#owned.add(
      this.session.onComments(({ comments, earlier }) => this.comments.receive(comments, earlier)),
    )
    this.#owned.add(this.guard)
    this.#owned.add(this.guard.onChange((isReady) => this.store.setState({ isReady })))
    this.#owned.add(this.session.onState((session) => this.#hearSession(session)))
    this.#owned.add(this.session.onFollow((followed) => this.#follow(followed)))
  }

  get editor(): ReviewEditor | null {
    return this.#editor
  }

  /** Gives the editor its place in the page, as a ref; null takes it away. */
  readonly setPlace = (place: HTMLElement | null): void => {
    if (place === this.#place) return
    this.#place = place
    this.#editor?.dispose()
    this.#editor = null
    this.#ensureEditor()
  }

  setLook(look: Look): void {
    this.#look = look
    this.#editor?.setLook(look)
  }

  /** Goes to the next or previous change. */
  goTo(direction: 1 | -1): void {
    if (this.#editor?.picture.isHead) return announce(stillLoading)
    const moved = this.#editor?.goTo(direction) ?? false
    if (!moved) announce('No changes to go to.')
    else this.#sayCurrent()
  }

  /**
   * Decides the current change (at first, the first undecided one if it is in sight) and goes on to the next undecided
   * one.
   */
  decideCurrent(kind: 'accept' | 'reject'): void {
    const editor = this.#editor
    if (!editor || !this.guard.isSeen || editor.isComposing) return
    const isUndecided = (other: number) => findHunk(editor.draft, other)?.decision.kind === 'undecided'
    const number = editor.picture.current ?? editor.firstInView(isUndecided)
    const hunk = number === null ? undefined : findHunk(editor.draft, number)
    if (!hunk || !isUndecided(hunk.number)) {
      if (editor.goTo(1, isUndecided)) this.#sayCurrent()
      else announce('Every change is decided.')
      return
    }
    if (!editor.decide(kind, hunk.number)) return
    const { total, decided } = countsOf(editor.draft)
    const left =
      total === decided ? 'Every change is decided.' : `${countOf(total - decided, 'change')} left.`
    announce(`Change ${hunk.number} ${kind}ed. ${left}`)
    editor.goTo(1, isUndecided)
  }

  /** Begins a comment on the selected lines, or the file. */
  comment(on: 'lines' | 'file'): void {
    if (on === 'file') this.#comment(null, '')
    else this.#editor?.commentOnSelection()
  }

  undo(): void {
    this.#editor?.undo()
  }

  redo(): void {
    this.#editor?.redo()
  }

  /** Why the file can't be accepted now, as a sentence; null when it can. */
  refusal(): string | null {
    const { session, picture } = this.store.getState()
    if (session.kind !== 'text' && session.kind !== 'binary') return stillLoading
    if (session.kind === 'text' && !session.isWhole) return stillLoading
    if (session.closed !== null) return session.closed
    if (session.summary.phase !== 'open') return 'This change can’t be decided now.'
    if (picture) {
      const { total, written } = countsOf(picture.draft)
      if (total > 0 && written === 0) return 'You rejected every change. Reject the file instead.'
    }
    return null
  }

  /** Gives the file the green light, with the draft as it stands. */
  async acceptFile(): Promise<void> {
    const refusal = this.refusal()
    if (refusal !== null) return announce(refusal)
    await this.#decide('review.accept', this.#insistence(), (summary) => `Accepted ${summary.name}.`)
  }

  /** Refuses the whole file; a note is typed into the agent's prompt and not sent. True once that is decided. */
  async rejectFile(note?: string): Promise<boolean> {
    const state = this.#summary()
    if (!state || state.phase !== 'open') return false
    const more = { ...(note === undefined || note === '' ? {} : { note }), ...this.#insistence() }
    return this.#decide('review.reject', more, (summary) => `Rejected ${summary.name}.`)
  }

  /** Makes decisions count although they can't be recorded, or stops that. */
  insist(insists: boolean): void {
    if (insists && this.#summary()?.unrecorded === undefined) return announce('Decisions are recorded.')
    this.store.setState({ insists, told: null })
    this.guard.restart()
    announce(insists ? unrecordedDecision : 'Decisions wait until they can be recorded.')
  }

  async keepAsMine(): Promise<void> {
    await this.#decide('review.keep', {}, (summary) => `Kept ${summary.name} as your change.`)
  }

  async discard(): Promise<void> {
    await this.#decide('review.discard', {}, (summary) => `Discarded the change to ${summary.name}.`)
  }

  async writeMyself(): Promise<void> {
    await this.#decide('review.writeMyself', {}, (summary) => `Wrote ${summary.name}.`)
  }

  async takeOffered(): Promise<void> {
    const isDone = await this.#run('review.takeOffered', {}, () => 'Your edits are applied.')
    if (isDone) this.session.endOffer()
  }

  async savePatch(): Promise<void> {
    await this.#busily(async () => {
      await this.session.settle()
      const result = await attempt('review.savePatch', { id: this.session.id })
      if (!result.ok) return this.#fail(result.failure.message)
      this.#succeed(`Saved as ${result.value.path}.`)
    })
  }

  /** Mod+S in a review: makes sure that the draft is kept, and says that nothing has been written. */
  async keepDraft(): Promise<void> {
    if (await this.session.settle()) {
      const unrecorded = this.#summary()?.unrecorded
      if (unrecorded !== undefined) return this.#fail(`The draft is kept in memory only. ${unrecorded}`)
      this.#succeed('Draft kept. Nothing is written until you accept.')
      return
    }
    const { state } = this.session
    // What the host could not take is already shown above the text.
    if ('problem' in state && state.problem !== null) announce(state.problem)
    else this.#succeed('The draft is kept in this page only: Greenlight isn’t connected.')
  }

  /** Says what became of something that the person asked for beside the review. */
  tell(sentence: string, isFailure: boolean): void {
    if (isFailure) this.#fail(sentence)
    else this.#succeed(sentence)
  }

  /** Removes the last sentence. */
  dismiss(): void {
    this.store.setState({ told: null })
  }

  dispose(): void {
    this.setPlace(null)
    this.#owned.dispose()
  }

  #comment(lines: ReviewComment['lines'], quote: string): void {
    if (!canEdit(this.store.getState().session)) return announce('This change can’t be commented on now.')
    if (quote.length > longestQuote) return announce('These are too many lines for one comment.')
    if (!this.comments.begin(lines, quote)) announce('There are too many comments. Delete one first.')
  }

  #summary(): ReviewSummary | null {
    return shownSession(this.store.getState().session)?.summary ?? null
  }

  #hearSession(session: ReviewSessionState): void {
    const before = this.store.getState().session
    this.store.setState({ session })
    this.#ensureEditor()
    if (canEdit(before) !== canEdit(session)) this.#editor?.setAccess(canEdit(session))
    if (isOtherQuestion(before, session)) {
      const isSamePhase = 'summary' in before && before.summary.phase === this.#summary()?.phase
      this.#changedByOthers(isSamePhase)
    }
    this.#hearUnrecorded('summary' in before ? before.summary.unrecorded : undefined)
    const closed = shownSession(session)?.closed ?? null
    if (closed !== null && (shownSession(before)?.closed ?? null) === null) announce(closed)
  }

  /** Decisions can be recorded again, or no longer: a bar comes or goes, so nothing counts for a moment. */
  #hearUnrecorded(before: string | undefined): void {
    const unrecorded = this.#summary()?.unrecorded
    if (unrecorded === before) return
    this.guard.restart()
    if (unrecorded === undefined) this.store.setState({ insists: false, told: null })
    else announce(unrecorded)
  }

  #insistence(): { insists?: true } {
    return this.store.getState().insists ? { insists: true } : {}
  }

  /** Others have changed the draft, or its rest has come: the person can't mean what they haven't seen. */
  #follow(followed: Followed): void {
    const before = this.#editor?.draft
    this.#editor?.follow(followed)
    const isSame = before?.a.eq(followed.draft.a) === true && before.b.eq(followed.draft.b)
    if (!isSame) this.#changedByOthers(true)
  }

  #changedByOthers(isTold: boolean): void {
    const summary = this.#summary()
    // Said once: further changes before the person may decide again are the same news.
    if (isTold && this.guard.isSeen && summary?.phase === 'open') {
      announce(`${summary.name} has changed. Check it again.`)
    }
    this.#othersChanges++
    this.guard.restart()
  }

  #ensureEditor(): void {
    const { draft, state } = this.session
    if (this.#editor || !this.#place || !draft || state.kind !== 'text') return
    const editor = new ReviewEditor({
      parent: this.#place,
      draft,
      isHead: !state.isWhole,
      lines: state.lines,
      path: state.summary.path,
      look: this.#look,
      canEdit: canEdit(state),
      mayDecide: () => this.guard.isReady,
      onComment: (lines, quote) => this.#comment(lines, quote),
      onWork: (work) => this.session.take(work),
      onPicture: (picture) => this.store.setState({ picture }),
    })
    this.#editor = editor
    this.store.setState({ picture: editor.picture })
  }

  async #decide(
    name: RevisionCall,
    more: { note?: string; insists?: true },
    done: (summary: ReviewSummary) => string,
  ): Promise<boolean> {
    const hand = handNow()
    const summary = this.#summary()
    if (!summary || !(await this.#run(name, more, done))) return false
    hand.ifStillHere((used) => this.#onDecided(summary, used))
    return true
  }

  /** Sends what is unsent, then the call with the newest revision. True when the host did it. */
  async #run(
    name: RevisionCall,
    more: { note?: string; insists?: true },
    done: (summary: ReviewSummary) => string,
  ): Promise<boolean> {
    let isDone = false
    const seen = this.#othersChanges
    await this.#busily(async () => {
      if (!(await this.session.settle())) {
        this.#fail('Your last edits haven’t reached Greenlight yet. Try again in a few seconds.')
        return
      }
      if (!(await this.comments.settle())) {
        this.#fail('Your last comment hasn’t reached Greenlight yet. Try again in a few seconds.')
        return
      }
      // The call names the newest revision: it must be the one that the person saw when they decided.
      if (this.#othersChanges !== seen) {
        this.#fail('The review has changed. Check it, then decide.')
        return
      }
      const { revision } = this.session
      const summary = this.#summary()
      if (!summary || revision === null) return
      const params: Calls[RevisionCall]['params'] = { id: summary.id, revision, ...more }
      const result = await attempt(name, params)
      if (!result.ok) {
        const isUnrecorded = result.failure.code === 'unrecorded'
        return this.#fail(isUnrecorded ? notDecided : result.failure.message)
      }
      isDone = true
      announce(done(summary))
    })
    return isDone
  }

  /** One thing at a time. */
  async #busily(run: () => Promise<void>): Promise<void> {
    if (this.store.getState().isBusy) return
    this.store.setState({ isBusy: true, told: null })
    try {
      await run()
    } finally {
      this.store.setState({ isBusy: false })
    }
  }

  #fail(sentence: string): void {
    this.store.setState({ told: { sentence, isFailure: true } })
    announce(sentence)
  }

  #succeed(sentence: string): void {
    this.store.setState({ told: { sentence, isFailure: false } })
    announce(sentence)
  }

  #sayCurrent(): void {
    const picture = this.#editor?.picture
    const hunk = picture && picture.current !== null ? findHunk(picture.draft, picture.current) : undefined
    if (!picture || !hunk) return
    const index = picture.draft.hunks.indexOf(hunk) + 1
    announce(`Change ${index} of ${picture.draft.hunks.length}, ${hunk.decision.kind}.`)
  }
}

const stillLoading = 'The change is still loading.'
const notDecided = 'Nothing was decided, because it couldn’t be recorded.'
/** What deciding anyway means. */
export const unrecordedDecision =
  'Your decision on this file will count but won’t be recorded. After a crash Greenlight won’t know about it.'

/** Whether a person may edit and decide changes now. */
export function canEdit(session: ReviewSessionState): boolean {
  if (session.kind !== 'text' || session.closed !== null) return false
  return session.summary.phase === 'open' || session.summary.phase === 'orphaned'
}
