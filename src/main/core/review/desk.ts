import { isAbsolute } from 'node:path'
import type { ReviewDelta, ReviewSummary } from '../../../shared/contract/review'
import { type Disposable, Emitter } from '../../../shared/lifetime'
import { type Done, type Result, fail, succeed } from '../../../shared/result'
import { type Opening, type Origin, type Proposal } from '../../../shared/review/proposal'
import { readFile } from '../files/read-file'
import { type Asker, isAskedBy, isOfOneAgent, makeAsker, originsOf } from './askers'
import { compare } from './comparison'
import { type DecidedAnywhere, DecidedReviews } from './decided'
import { type DeskEvent, type DeskOptions, describeEnd } from './desk-events'
import { maxBytes } from './disk-look'
import { type Wish, eventOf, staleReview } from './decisions'
import { type End, startMachine } from './machine'
import { type NewReview, newReview } from './new-review'
import type { DraftPush, PushAnswer } from './draft-pushes'
import { superfluousOrphans } from './orphans'
import { reopened } from './reopened'
import { ReplacedReviews } from './replaced-reviews'
import { type Offer, type ReviewContent, resultOf } from './review-content'
import {
  type Place,
  type Review,
  offerOf,
  holdsUpOthers,
  isEditable,
  patchOf,
  originOf,
  summarise,
} from './review'
import { restoreReview } from './restored-review'
import { ReviewLives, reasonOf } from './review-lives'
import { type Question, equalTo, findQuestions } from './same-change'
import { endSentence, notRecorded, unknownBefore, writtenAgainst } from './sentences'
import { type WrittenProposal, baseFile, describeWritten, writtenAgain } from './written'

/**
 * The one place where proposed changes wait for the person, whatever agent they come from. An adapter opens a
 * proposal and gets one verdict; the page steps through the draft; the disk says what became of it.
 */
export class ReviewDesk implements Disposable {
  readonly #options: DeskOptions
  readonly #reviews = new Map<string, Review>()
  readonly #decided: DecidedReviews
  readonly #lives: ReviewLives
  readonly #replaced = new ReplacedReviews()

  readonly #changes = new Emitter<DeskEvent>()
  readonly #deltas = new Emitter<{ id: string; delta: ReviewDelta }>()
  readonly onChange = this.#changes.on
  readonly onDelta = this.#deltas.on

  constructor(options: DeskOptions) {
    this.#options = options
    options.journal.onProblem((problem) => this.#changes.emit({ kind: 'recording', problem }))
    this.#decided = new DecidedReviews(options.journal, options.ledger, options.swapper)
    this.#lives = new ReviewLives(options, {
      changed: ({ id }) => this.#changes.emit({ kind: this.summary(id) ? 'put' : 'remove', id }),
      orphaned: () => this.#letGo(),
      delta: ({ id }, delta) => this.#deltas.emit({ id, delta }),
      told: (text, place) => this.#changes.emit({ kind: 'told', text, place }),
      moved: ({ realPath }) => this.#advance(realPath),
      reopen: (review) => this.#reopen(review),
      closed: (review, end) => this.#close(review, end),
    })
  }

  /** Takes up what the last run of the app left behind: drafts nobody can be answered for, and decided reviews. */
  async restore(): Promise<void> {
    await this.#decided.load()
    for (const { review: stored, log } of await this.#options.journal.load()) {
      const { realPath, origin } = stored.record
      const disk = await readFile(realPath, { maxBytes })
      const { review, orders } = restoreReview(stored, log, disk, this.#options.placeOf(realPath, origin))
      this.#reviews.set(review.id, review)
      await this.#lives.takeUp(review, orders)
    }
    this.#letGo()
  }

  /**
   * Asks the person about a change and waits, however long. Aborting the signal withdraws the question; its reason
   * may be a WithdrawnReason. `refused` means that it could not be asked at all, with a sentence for the agent.
   * Who asks out of one process tree for what is being asked already joins that review: one decision answers both.
   */
  async open(proposal: Proposal, signal: AbortSignal): Promise<Opening> {
    if (!isAbsolute(proposal.path)) {
      return { kind: 'refused', message: `${proposal.path} is not an absolute path. Send the whole path.` }
    }
    const disk = await readFile(proposal.path, { maxBytes })
    if (!disk.ok) return { kind: 'refused', message: disk.failure.message }
    const content = await compare(disk.value, proposal.proposed, this.#options.startElsewhere)
    const isEqual = equalTo(proposal, disk.value.realPath, resultOf(content).fingerprint)
    const others = new Set<Review>()
    let equal: Review | undefined
    // No wait between the last look and the beginning, so that of two that ask at once the second finds the first.
    while ((equal = [...this.#reviews.values()].find((review) => !others.has(review) && isEqual(review)))) {
      const isOneAgent = await isOfOneAgent(equal.askers, proposal.origin, this.#options.isOneTree)
      if (isOneAgent && isEqual(equal)) break
      others.add(equal)
    }
    if (signal.aborted) return { kind: 'withdrawn', reason: reasonOf(signal) }
    return new Promise((answer) => {
      const asker = makeAsker(proposal.origin, signal, answer)
      const review = equal
        ? this.#join(equal, proposal, asker)
        : this.#begin({ proposal, disk: disk.value, content, askers: [asker] })
      const number = review.askers.indexOf(asker)
      const abort = () =>
        this.#lives.dispatch(review, { kind: 'withdraw', reason: reasonOf(signal), asker: number })
      signal.addEventListener('abort', abort, { once: true })
    })
  }

  /**
   * Asks about a change that is on disk already. Nobody waits for the answer: it is kept, or put back in part or
   * whole. A path that is under review is left to that review, which sees what its file holds.
   */
  async openWritten(change: WrittenProposal): Promise<void> {
    const { proposal, base, content } = await describeWritten(change, this.#options.startElsewhere)
    if (this.isUnderReview(change.path)) return
    const review = this.#begin({ proposal, disk: base, content, askers: [makeAsker(change.origin)] })
    if (change.before === 'unknown') review.problem = unknownBefore.failure.message
    this.#lives.changed(review)
  }

  /** Whether a review looks after what a file holds. */
  isUnderReview(path: string): boolean {
    return [...this.#reviews.values()].some(({ realPath }) => realPath === path)
  }

  /** Real paths of the files that reviews look after. */
  pathsUnderReview(): string[] {
    return [...this.#reviews.values()].map(({ realPath }) => realPath)
  }

  /** Somebody knows that a file may have been written just now: its reviews look at the disk at once. */
  look(path: string): void {
    for (const review of this.#reviews.values()) {
      if (review.proposal.path === path || review.realPath === path) review.look?.look()
    }
  }

  /** What an open review holds now, undecided changes as proposed, with the file's own line ends; null when over. */
  draftText(id: string): string | null {
    const review = this.#reviews.get(id)
    return review ? resultOf(review.content).text : null
  }

  /** An agent that was answered elsewhere takes the draft as it stands, which it is then expected to write. */
  handOver({ connection, call }: Pick<Origin, 'connection' | 'call'>): string | null {
    const review = [...this.#reviews.values()].find((one) => isAskedBy(one.askers, connection, call))
    return review ? this.#lives.handOver(review) : null
  }

  /** All open reviews, oldest first. */
  summaries(): ReviewSummary[] {
    return [...this.#reviews.values()].flatMap((review) => summarise(review) ?? [])
  }

  summary(id: string): ReviewSummary | null {
    const review = this.#reviews.get(id)
    return review ? summarise(review) : null
  }

  /** Where a review is shown; null when it is over. */
  placeOf(id: string): Place | null {
    return this.#reviews.get(id)?.place ?? null
  }

  /** What of the drafts of earlier runs was found damaged, as sentences; each is given once. */
  takeDamage(): string[] {
    return this.#options.journal.takeDamage()
  }

  /** Reviews that are over, newest first, as far as something is kept of them. */
  decided(): DecidedAnywhere[] {
    return this.#decided.list()
  }

  /** The content of an open review, for the page. */
  content(id: string): { content: ReviewContent; offered: boolean } | null {
    const review = this.#reviews.get(id)
    if (!review || summarise(review) === null) return null
    return { content: review.content, offered: review.offered !== null }
  }

  /** Windows came or went: every review is placed anew. */
  placeAll(): void {
    for (const review of this.#reviews.values()) {
      review.place = this.#options.placeOf(review.realPath, originOf(review))
      this.#lives.changed(review)
    }
  }

  /** The person's steps on a draft. All or nothing; `behind` when the page has not seen the newest version. */
  step(id: string, push: DraftPush): PushAnswer {
    const review = this.#reviews.get(id)
    if (review) return this.#lives.takePush(review, push)
    const { status, late } = this.#replaced.take(id, push)
    const heir = late && this.#reviews.get(late.to)
    if (heir) this.#offer(heir, late.offer)
    return { status }
  }

  /**
   * Gives the whole file the green light, as the draft stands. Whether that counts, `counts` tells: it has to be recorded
   * first, unless the person insists.
   */
  accept(id: string, revision: number, insists = false): Done {
    return this.#decide(id, revision, { kind: 'accept', insists })
  }

  /** Refuses the whole file, in the same way; a note goes into the agent's prompt. */
  reject(id: string, revision: number, note?: string, insists = false): Done {
    return this.#decide(id, revision, { kind: 'reject', note, insists })
  }

  /** Resolves when the latest decision on a review is recorded; fails where it could not be and nobody was told. */
  async counts(id: string): Promise<Done> {
    const review = this.#reviews.get(id)
    if (!review || (await review.recording)) return succeed({})
    return fail('unrecorded', review.log.problem ?? notRecorded(null))
  }

  /** Closing the tab of a review: an open question is rejected, what is written or open no more stays in the list. */
  closeTab(id: string): 'rejected' | 'undecided' {
    const review = this.#reviews.get(id)
    if (review?.machine.phase.kind !== 'open' || review.machine.effect === 'written') return 'undecided'
    this.#lives.dispatch(review, { kind: 'reject' })
    return 'rejected'
  }

  /** Orphaned: writes the draft as the person's own change. */
  keep(id: string, revision: number): Done {
    return this.#decide(id, revision, { kind: 'keep' })
  }

  /** Overdue: the host writes what was accepted. */
  writeMyself(id: string, revision: number): Done {
    return this.#decide(id, revision, { kind: 'write-myself' })
  }

  /** Forgets an orphaned draft, or an accepted one that nobody writes. */
  discard(id: string, revision: number): Done {
    return this.#decide(id, revision, { kind: 'discard' })
  }

  /** The draft as a unified patch against its base, and the path it is for; null for what is no text. */
  patch(id: string): { text: string; path: string } | null {
    const review = this.#reviews.get(id)
    return review ? patchOf(review) : null
  }

  /** Applies the edits made to the proposal that this one replaced, as far as their places still exist. */
  takeOffered(id: string, revision: number): Done {
    const review = this.#reviews.get(id)
    if (!review?.offered || review.content.kind !== 'text' || !isEditable(review)) {
      return fail('gone', 'There are no earlier edits to take over. Edit the change itself.')
    }
    if (review.revision !== revision) return staleReview
    this.#lives.takeOffered(review)
    this.#replaced.forget(id)
    return succeed({})
  }

  /** Puts back the text from before an accepted change, unless the file has changed since. */
  async undo(id: string): Promise<Done> {
    const undone = await this.#decided.undo(id)
    if (undone.ok) this.#changes.emit({ kind: 'decided' })
    return undone
  }

  /** Takes a rejected change up again, for the person alone. Gives the new review's id. */
  async reopen(id: string): Promise<Result<{ review: string }>> {
    const found = await reopened(await this.#decided.rejected(id), this.#options.startElsewhere)
    if (!found.ok) return found
    const review = this.#begin(found.value)
    if (review.machine.disk !== review.machine.base) await this.#lives.rebase(review)
    await this.#decided.forget(id)
    this.#changes.emit({ kind: 'decided' })
    return succeed({ review: review.id })
  }

  /** Ends the app's part: open questions are withdrawn, drafts are on disk. */
  async shutdown(): Promise<void> {
    for (const review of this.#reviews.values()) {
      this.#lives.dispatch(review, { kind: 'withdraw', reason: 'shutdown' })
    }
    await Promise.all([this.#decided.flush(), ...[...this.#reviews.values()].map(({ log }) => log.flush())])
    this.dispose()
  }

  /** Also ends the journal. */
  dispose(): void {
    this.#lives.dispose()
    this.#options.journal.dispose()
    for (const review of this.#reviews.values()) {
      review.look?.dispose()
      if (review.timer) clearTimeout(review.timer)
    }
    this.#changes.dispose()
    this.#deltas.dispose()
  }

  #decide(id: string, revision: number, wish: Wish): Done {
    const review = this.#reviews.get(id)
    const event = eventOf(review, revision, wish)
    if (!event.ok) return event
    if (review) this.#lives.dispatch(review, event.value)
    return succeed({})
  }

  #begin(beginning: NewReview): Review {
    const { proposal, disk, askers } = beginning
    // Only who asks anew takes the place of what it asked before.
    const isAsked = askers.some(({ answer }) => answer !== null)
    const [replaced] = isAsked ? findQuestions(this.#reviews.values(), proposal.origin, disk.realPath) : []
    const offered = replaced ? offerOf(replaced.review) : null
    const review = newReview(this.#options, { ...beginning, offered })
    this.#reviews.set(review.id, review)
    if (offered) this.#lives.offer(review, offered)
    if (replaced) this.#replace(replaced, review)
    this.#lives.watch(review)
    this.#advance(review.realPath, review)
    this.#changes.emit({ kind: 'put', id: review.id })
    return review
  }

  /** One more asks for what is being asked. Its own earlier question on this path, here or elsewhere, ends by that. */
  #join(review: Review, { origin, effect }: Proposal, asker: Asker): Review {
    const earlier = findQuestions(this.#reviews.values(), origin, review.realPath)
    review.askers.push(asker)
    review.log.joined(origin)
    this.#lives.dispatch(review, { kind: 'join', effect })
    for (const one of earlier) {
      const offer = one.review === review ? null : offerOf(one.review)
      if (offer && !review.offered) this.#offer(review, offer)
      this.#replace(one, review)
    }
    return review
  }

  #replace({ review, asker }: Question, by: Review): void {
    if (review !== by) review.log.endAfter(by.log)
    this.#lives.dispatch(review, { kind: 'withdraw', reason: 'replaced', asker })
    // Where others still ask for it, it goes on.
    if (!this.#reviews.has(review.id)) this.#replaced.add(review, by.id)
  }

  #offer(review: Review, offer: Offer): void {
    this.#lives.offer(review, offer)
    this.#deltas.emit({ id: review.id, delta: { kind: 'offered' } })
  }

  /** Lets the oldest that waits on a path begin, unless another one is in front. `fresh` has just read the disk. */
  #advance(realPath: string, fresh?: Review): void {
    const same = [...this.#reviews.values()].filter((review) => review.realPath === realPath)
    const next = same.find((review) => review.machine.phase.kind === 'queued')
    if (same.some(holdsUpOthers) || !next) return
    if (next === fresh) this.#lives.dispatch(next, { kind: 'turn' })
    else void this.#lives.takeTurn(next)
  }

  /** Opens a review of what was written against the person's decisions, holding them. */
  #reopen(review: Review): void {
    if (review.content.kind !== 'text') return
    const { base, proposed } = review.machine
    const { proposal, content } = writtenAgain(review, review.content)
    const askers = review.askers.map(({ origin }) => makeAsker(origin))
    const disk = baseFile(review.realPath, base)
    const asked = { touched: true, phase: { kind: 'open' } } as const
    const machine = { ...startMachine('written', base, proposed), ...asked }
    const again = this.#begin({ proposal, disk, content, askers, machine })
    again.log.renewed({ base, proposed, facts: content.facts, written: content.written })
    if (review.offered) this.#offer(again, review.offered)
    again.problem = writtenAgainst(originsOf(askers))
    this.#lives.changed(again)
  }

  #letGo(): void {
    for (const review of superfluousOrphans(this.#reviews.values()))
      this.#lives.dispatch(review, { kind: 'let-go' })
  }

  #close(review: Review, end: End): void {
    this.#reviews.delete(review.id)
    if (end !== 'replaced') this.#replaced.forget(review.id)
    const kept = this.#decided.add(review, end)
    const { id } = review
    const how = endSentence(end, originsOf(review.askers), review.machine.effect)
    this.#deltas.emit({ id, delta: { kind: 'closed', how } })
    this.#changes.emit({ kind: 'remove', id })
    this.#changes.emit(describeEnd(review, end, kept))
    if (kept) this.#changes.emit({ kind: 'decided' })
  }
}
