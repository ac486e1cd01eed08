import { isAbsolute } from 'node:path'
import type { ReviewDelta, ReviewState, ReviewSummary } from '../../../shared/contract/review'
import { type Disposable, Emitter } from '../../../shared/lifetime'
import { type Done, type Result, fail, succeed, unreachable } from '../../../shared/result'
import {
  type Opening,
  type Origin,
  type Proposal,
  type Verdict,
  withdrawnReasonOf,
} from '../../../shared/review/proposal'
import type { ReviewComment } from '../../../shared/review/comments'
import { type DraftStep, applyStep, baseOf } from '../../../shared/review/draft'
import { stepToJson } from '../../../shared/review/step-json'
import { changesBetween } from '../../../shared/text/line-diff'
import { toText } from '../../../shared/text/text-facts'
import { type DiskFile, readFile } from '../files/read-file'
import { type Asker, isAskedBy, isOfOneAgent, makeAsker, originsOf, readNames } from './askers'
import { asMixed, compare, textOf } from './comparison'
import { type DecidedAnywhere, DecidedReviews } from './record/decided-reviews'
import { type DeskEvent, type DeskOptions, describeEnd } from './desk-events'
import { OutcomeWatch, maxBytes, overdueAfter } from './outcome-watch'
import { type Wish, eventOf, staleReview } from './person-wish'
import {
  type End,
  type MachineEvent,
  type Order,
  beginMachine,
  holdsUpOthers,
  isDeaf,
  isSettled,
  isWorkedOn,
  meanwhileOf,
  startMachine,
  stepMachine,
} from './machine'
import { type NewReview, newReview } from './new-review'
import { type DraftPush, type PushAnswer, takePush, withSteps } from './draft-pushes'
import { type Fingerprint, fingerprintOf } from './fingerprint'
import { superfluousOrphans } from './orphans'
import { reopened, reopenedAlready } from './reopened'
import { type Receipt, type Receipts, fileOf, isWhole } from './record/receipts'
import { ReplacedReviews } from './replaced-reviews'
import {
  type Offer,
  type ReviewContent,
  type TextContent,
  holdsAwaited,
  acceptedContentOf,
} from './review-content'
import { type Place, type Review, isOutcome, offerOf, patchOf, originOf, summarise, wordsOf } from './review'
import { restoreReview } from './restored-review'
import { renew } from './renewal'
import { type ReviewAsker, equalTo, findAskers } from './same-change'
import {
  endSentence,
  leftAsItIs,
  notRecorded,
  problemSentence,
  unknownBefore,
  writtenAgainst,
} from './sentences'
import { WriteRecord } from './record/write-record'
import { isPutBack, writeResult } from './write-result'
import { type WrittenProposal, baseFile, bytesAgain, describeWritten, writtenAgain } from './written-proposal'

/** What a path held before or after a write. `isRead`: its content is known, not only its hash. */
interface Side {
  readonly file: DiskFile
  readonly isRead: boolean
}

/** What a page shows of a review beside its summary. */
interface ShownContent {
  readonly content: ReviewContent
  readonly offered: boolean
  readonly comments: readonly ReviewComment[]
  readonly earlier: ReviewState['earlier']
}

/**
 * The one place where proposed changes wait for the person, whichever agent they come from. An adapter opens a proposal
 * and gets one verdict; the page steps through the draft; the disk shows the outcome.
 */
export class ReviewDesk implements Receipts, Disposable {
  readonly #options: DeskOptions
  readonly #reviews = new Map<string, Review>()
  readonly #decided: DecidedReviews
  /** What agents have written or asked to, and what became of it. */
  readonly writes: WriteRecord
  readonly #replaced = new ReplacedReviews()
  /** Handled one at a time: everything that follows from one is done before the next. */
  readonly #events: { review: Review; event: MachineEvent; disk: DiskFile | undefined }[] = []
  #isRunning = false
  #disposed = false

  readonly #changes = new Emitter<DeskEvent>()
  readonly #deltas = new Emitter<{ id: string; delta: ReviewDelta }>()
  readonly onChange = this.#changes.on
  readonly onDelta = this.#deltas.on

  constructor(options: DeskOptions) {
    this.#options = options
    options.journal.onProblem((problem) => this.#changes.emit({ kind: 'recording', problem }))
    this.#decided = new DecidedReviews(options, () => this.#changes.emit({ kind: 'decided' }))
    this.writes = new WriteRecord({
      all: () => this.#decided.all(),
      text: (kept, name) => this.#decided.text(kept, name),
      folder: options.journal.keptFolder,
      ripgrep: options.ripgrep ?? (() => Promise.resolve(null)),
    })
  }

  /**
   * Takes up the unfinished reviews that the app's last run left. The decided ones, which may be many, are listed later, so
   * that nobody waits for them.
   */
  async restore(): Promise<void> {
    void this.#decided.load().then(() => this.#changes.emit({ kind: 'decided' }))
    for (const { review: stored, log } of await this.#options.journal.load()) {
      const { realPath, origin } = stored.record
      const disk = await readFile(realPath, { maxBytes })
      const { review, orders } = restoreReview(stored, log, disk, this.#options.placeOf(realPath, origin))
      this.#reviews.set(review.id, review)
      if (review.machine.phase.kind !== 'closed') {
        this.#watch(review)
        this.#changes.emit({ kind: 'put', id: review.id })
      }
      this.#run(review, orders, disk.ok ? disk.value : undefined)
    }
    this.#letGo()
  }

  /**
   * Asks the person about a change and waits, however long it takes. Aborting the signal withdraws the question; its
   * reason may be a `WithdrawnReason`. `refused`: it couldn't be asked at all, with a sentence for the agent. An agent
   * (one process tree) that proposes what it is already asking for joins that review: one decision answers both.
   */
  async open(proposal: Proposal, signal: AbortSignal): Promise<Opening> {
    if (!isAbsolute(proposal.path)) {
      return { kind: 'refused', message: `${proposal.path} isn’t an absolute path. Send an absolute path.` }
    }
    const disk = await readFile(proposal.path, { maxBytes })
    if (!disk.ok) return { kind: 'refused', message: disk.failure.message }
    const content = await compare(disk.value, proposal.proposed, this.#options.startElsewhere)
    if (typeof proposal.proposed !== 'string' && content.kind === 'binary') {
      return { kind: 'refused', message: `${proposal.path} isn’t text. Put it back by hand.` }
    }
    const isEqual = equalTo(proposal, disk.value.realPath, acceptedContentOf(content).fingerprint)
    const others = new Set<Review>()
    let equal: Review | undefined
    // No await between the last check and the beginning, so that of two that ask together the second finds the first.
    while ((equal = [...this.#reviews.values()].find((review) => !others.has(review) && isEqual(review)))) {
      const isOneAgent = await isOfOneAgent(equal.askers, proposal.origin, this.#options.isOneTree)
      if (isOneAgent && isEqual(equal)) break
      others.add(equal)
    }
    if (signal.aborted) return { kind: 'withdrawn', reason: withdrawnReasonOf(signal) }
    return new Promise((answer) => {
      const asker = makeAsker(proposal.origin, signal, answer, proposal.carriesWords)
      const review = equal
        ? this.#join(equal, proposal, asker)
        : this.#begin({ proposal, disk: disk.value, content, askers: [asker] })
      const number = review.askers.indexOf(asker)
      const abort = () =>
        this.#dispatch(review, { kind: 'withdraw', reason: withdrawnReasonOf(signal), asker: number })
      signal.addEventListener('abort', abort, { once: true })
    })
  }

  /**
   * Asks about a change that is already on disk. Nobody waits for the answer: it is kept, or put back in part or whole.
   * Returns the review's id; null if the path is already under review: that review sees the change instead.
   */
  async openWritten(change: WrittenProposal): Promise<string | null> {
    const { proposal, base, content } = await describeWritten(change, this.#options.startElsewhere)
    if (this.isUnderReview(change.path)) return null
    const askers = [makeAsker(change.origin)]
    // A written change doesn't have to wait its turn.
    const { machine } = beginMachine(
      startMachine('written', fingerprintOf(base), acceptedContentOf(content).fingerprint),
      { kind: 'turn' },
    )
    const review = this.#begin({ proposal, disk: base, content, askers, machine })
    if (change.before === 'unknown' || !isWhole(change.before)) review.problem = unknownBefore.failure.message
    this.#changed(review)
    return review.id
  }

  /** Whether an open review watches this real path. */
  isUnderReview(path: string): boolean {
    return [...this.#reviews.values()].some(({ realPath }) => realPath === path)
  }

  /** Real paths of the files that open reviews watch. */
  pathsUnderReview(): string[] {
    return [...this.#reviews.values()].map(({ realPath }) => realPath)
  }

  /** The file may just have been written: its reviews look at the disk immediately. */
  look(path: string): void {
    for (const review of this.#reviews.values()) {
      if (review.proposal.path === path || review.realPath === path) review.look?.look()
    }
  }

  /** For an agent that was answered elsewhere: returns the draft as it stands and expects the agent to write it. */
  handOver({ connection, call }: Pick<Origin, 'connection' | 'call'>): string | null {
    const review = [...this.#reviews.values()].find((one) => isAskedBy(one.askers, connection, call))
    if (!review) return null
    const { text, fingerprint } = acceptedContentOf(review.content)
    this.#dispatch(review, { kind: 'hand-over', fingerprint })
    return text
  }

  /** All open reviews, oldest first. */
  summaries(): ReviewSummary[] {
    return [...this.#reviews.values()].flatMap((review) => summarise(review) ?? [])
  }

  summary(id: string): ReviewSummary | null {
    const review = this.#reviews.get(id)
    return review ? summarise(review) : null
  }

  /** Where a review is shown; null if it is over. */
  placeOf(id: string): Place | null {
    return this.#reviews.get(id)?.place ?? null
  }

  /** Sentences about drafts of earlier runs that were found damaged; each is returned once. */
  takeDamage(): string[] {
    return this.#options.journal.takeDamage()
  }

  /** Decided reviews that are still kept, newest first. */
  decided(): DecidedAnywhere[] {
    return this.#decided.list()
  }

  /** How many writes each rule for files has let through since a time, by its pattern; only for paths that count. */
  letThrough(since: number, counts: (path: string) => boolean): Map<string, number> {
    return this.#decided.letThrough(since, counts)
  }

  content(id: string): ShownContent | null {
    const review = this.#reviews.get(id)
    if (!review || summarise(review) === null) return null
    const { content, realPath, askers, comments } = review
    const earlier = this.#decided.commentsOn(realPath, readNames(originsOf(askers)), Date.now())
    return { content, offered: review.offered !== null, comments, earlier }
  }

  /**
   * Shows the reviews of a file a write that nobody was asked about. True if one of them tells of it: it led to that, or
   * looks at what is written. Anything else is a write of its own, also while a review waits for its outcome.
   */
  async tellsOf(receipt: Receipt): Promise<boolean> {
    const { realPath, began, by } = receipt
    const before = { file: fileOf(realPath, receipt.before), isRead: isWhole(receipt.before) }
    const after = await this.#sideAfter(receipt)
    let isTold = false
    for (const review of [...this.#reviews.values()].filter((one) => one.realPath === realPath)) {
      // Until the person's word on what is written is on disk, nobody knows whether it is about this too.
      if (review.machine.effect === 'written') await review.recording.then(() => review.writing)
      // A rule has agreed to it, so nobody looks at it afterwards.
      if (review.machine.effect === 'written' && by.kind === 'rule') continue
      isTold = this.#showWrite(review, before, after) || isTold
    }
    const left = [fingerprintOf(before.file), fingerprintOf(after.file)] as const
    return isTold || this.#decided.tellsOf(realPath, left, began)
  }

  /** Takes a write that nobody was asked about into the record. Resolves when it is kept, or waits until it can be written. */
  async receive(receipt: Receipt): Promise<void> {
    const kept = this.#decided.addReceipt(receipt)
    this.#changes.emit({ kind: 'decided' })
    await kept
  }

  /** Windows have changed: places every review again. */
  placeAll(): void {
    for (const review of this.#reviews.values()) {
      review.place = this.#options.placeOf(review.realPath, originOf(review))
      this.#changed(review)
    }
  }

  /** Takes the person's steps on a draft, all or none; `behind` if the page hasn't seen the newest version. */
  step(id: string, push: DraftPush): PushAnswer {
    const review = this.#reviews.get(id)
    if (review) return this.#takePush(review, push)
    const { status, late } = this.#replaced.take(id, push)
    const heir = late && this.#reviews.get(late.to)
    if (heir) this.#offer(heir, late.offer)
    return { status }
  }

  /**
   * Accepts the whole file as the draft stands. The decision must be recorded before it counts (see `counts`), unless
   * the person insists.
   */
  accept(id: string, revision: number, insists = false): Done {
    return this.#decide(id, revision, { kind: 'accept', insists })
  }

  /** Rejects the whole file, in the same way; a note goes into the agent's prompt. */
  reject(id: string, revision: number, note?: string, insists = false): Done {
    return this.#decide(id, revision, { kind: 'reject', note, insists })
  }

  /** Resolves when the latest decision on a review is recorded; fails if it couldn't be, and then nobody was told. */
  async counts(id: string): Promise<Done> {
    const review = this.#reviews.get(id)
    if (!review || (await review.recording)) return succeed({})
    return fail('unrecorded', review.log.problem ?? notRecorded(null))
  }

  /** The review's tab was closed: rejects an open question; anything else stays in the list. */
  closeTab(id: string): 'rejected' | 'undecided' {
    const review = this.#reviews.get(id)
    if (review?.machine.phase.kind !== 'open' || review.machine.effect === 'written') return 'undecided'
    const note = wordsOf(review)
    this.#dispatch(review, { kind: 'reject', ...(note === undefined ? {} : { note }) })
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

  /** Forgets an orphaned draft, or an accepted one that nobody has written. */
  discard(id: string, revision: number): Done {
    return this.#decide(id, revision, { kind: 'discard' })
  }

  /** The draft as a unified patch against its base, with its path; null if it isn't text. */
  patch(id: string): { text: string; path: string } | null {
    const review = this.#reviews.get(id)
    return review ? patchOf(review) : null
  }

  /** Applies the edits made to the proposal that this one replaced, as far as their places still exist. */
  takeOffered(id: string, revision: number): Done {
    const review = this.#reviews.get(id)
    if (!review?.offered || review.content.kind !== 'text' || !isWorkedOn(review.machine)) {
      return fail('gone', 'There are no earlier edits to apply. Edit the change itself.')
    }
    if (review.revision !== revision) return staleReview
    const { proposed, result } = review.offered
    const edits = changesBetween(proposed, result)
    review.offered = null
    const changes = edits.map(changesBetween(proposed, review.content.draft.b))
    this.#stepHere(review, { kind: 'edit', changes })
    // Written together with the step, so that a crash leaves either the offer or the edits.
    review.log.offered(null)
    this.#dispatch(review, { kind: 'touched' })
    this.#changed(review)
    this.#replaced.forget(id)
    return succeed({})
  }

  /** Says what the person's comments on a review are now. They decide nothing, and stay with its draft. */
  comment(id: string, comments: readonly ReviewComment[]): Done {
    const review = this.#reviews.get(id)
    if (!review || !isWorkedOn(review.machine)) {
      return fail('gone', 'This review has ended, so the comment wasn’t kept. Tell the agent in its prompt.')
    }
    this.#setComments(review, comments)
    return succeed({})
  }

  /** Puts back the text from before an accepted change, unless the file has changed since. */
  async undo(id: string): Promise<Done> {
    const undone = await this.#decided.undo(id)
    if (undone.ok) this.#changes.emit({ kind: 'decided' })
    return undone
  }

  /** Reopens a rejected change, for the person alone. Returns the new review's id. */
  async reopen(id: string): Promise<Result<{ review: string }>> {
    const found = await reopened(await this.#decided.rejected(id), this.#options.startElsewhere)
    if (!found.ok) return found
    // No await from here to where it is noted as taken back, so that of two that ask together the second fails.
    if (!this.#decided.canReopen(id)) return reopenedAlready
    const review = this.#begin(found.value.review)
    this.#run(review, found.value.orders, found.value.disk)
    await this.#decided.takeBack(id)
    this.#changes.emit({ kind: 'decided' })
    return succeed({ review: review.id })
  }

  /** Withdraws open questions, and waits for writes and drafts to be on disk. */
  async shutdown(): Promise<void> {
    const reviews = [...this.#reviews.values()]
    for (const review of reviews) this.#dispatch(review, { kind: 'withdraw', reason: 'shutdown' })
    await Promise.all(reviews.map(({ writing }) => writing))
    // No review ends after this.
    this.dispose()
    await Promise.all([this.#decided.flush(), ...reviews.map(({ log }) => log.flush())])
  }

  dispose(): void {
    this.#disposed = true
    this.#options.journal.dispose()
    this.#decided.dispose()
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
    if (review) this.#dispatch(review, event.value)
    return succeed({})
  }

  #begin(beginning: NewReview): Review {
    const { proposal, disk, askers } = beginning
    // Only a question can replace what its agent asked before.
    const isAsked = askers.some(({ answer }) => answer !== null)
    const [replaced] = isAsked ? findAskers(this.#reviews.values(), proposal.origin, disk.realPath) : []
    const offered = replaced ? offerOf(replaced.review) : null
    const review = newReview(this.#options, { ...beginning, offered })
    this.#reviews.set(review.id, review)
    if (offered) this.#noteOffer(review, offered)
    if (replaced) {
      this.#takeOverComments(review, replaced.review)
      this.#replace(replaced, review)
    }
    this.#watch(review)
    if (review.machine.phase.kind === 'queued') this.#advance(review.realPath, review)
    this.#changes.emit({ kind: 'put', id: review.id })
    return review
  }

  /**
   * Adds an asker to a review. This ends the asker's earlier questions on this path, whether in this review or another.
   */
  #join(review: Review, { origin, effect }: Proposal, asker: Asker): Review {
    const earlier = findAskers(this.#reviews.values(), origin, review.realPath)
    review.askers.push(asker)
    review.log.note({ kind: 'joined', origin })
    this.#dispatch(review, { kind: 'join', effect })
    for (const one of earlier) {
      const offer = one.review === review ? null : offerOf(one.review)
      if (offer && !review.offered) this.#offer(review, offer)
      this.#takeOverComments(review, one.review)
      this.#replace(one, review)
    }
    return review
  }

  #replace({ review, asker }: ReviewAsker, by: Review): void {
    if (review !== by) review.log.endAfter(by.log)
    this.#dispatch(review, { kind: 'withdraw', reason: 'replaced', asker })
    // If others still ask for it, it continues.
    if (!this.#reviews.has(review.id)) this.#replaced.add(review, by.id)
  }

  /** Comments that were never told are about the proposal that comes in place of theirs. */
  #takeOverComments(review: Review, { comments }: Review): void {
    const known = new Set(review.comments.map(({ id }) => id))
    const others = comments.filter(({ id }) => !known.has(id))
    if (others.length > 0) this.#setComments(review, [...review.comments, ...others])
  }

  #setComments(review: Review, comments: readonly ReviewComment[]): void {
    review.comments = comments
    review.log.note({ kind: 'comments', comments: [...comments] })
    this.#deltas.emit({ id: review.id, delta: { kind: 'comments', comments: [...comments] } })
    if (!review.machine.touched) this.#dispatch(review, { kind: 'touched' })
  }

  #offer(review: Review, offer: Offer): void {
    this.#noteOffer(review, offer)
    this.#deltas.emit({ id: review.id, delta: { kind: 'offered' } })
  }

  /** Starts the oldest queued review of a path, unless another holds it up. `fresh` has just read the disk. */
  #advance(realPath: string, fresh?: Review): void {
    const same = [...this.#reviews.values()].filter((review) => review.realPath === realPath)
    const next = same.find((review) => review.machine.phase.kind === 'queued')
    if (same.some(({ machine }) => holdsUpOthers(machine)) || !next) return
    if (next === fresh) this.#dispatch(next, { kind: 'turn' })
    else void this.#takeTurn(next)
  }

  /** Opens a review of what was written against the person's decisions, and keeps those decisions in its draft. */
  #reopen(review: Review): void {
    if (review.content.kind !== 'text') return
    const { base, proposed } = review.machine
    const { proposal, content } = writtenAgain(review, review.content)
    const askers = review.askers.map(({ origin }) => makeAsker(origin))
    const disk = baseFile(review.realPath, base)
    const { machine } = beginMachine(
      startMachine('written', base, proposed),
      { kind: 'touched' },
      { kind: 'turn' },
    )
    const again = this.#begin({ proposal, disk, content, askers, machine })
    again.log.note({ kind: 'renewed', base, proposed, facts: content.facts, written: content.exact })
    if (review.offered) this.#offer(again, review.offered)
    const { phase, verdict } = review.machine
    // Comments are told with a decision.
    if (verdict === null || verdict.kind === 'withdrawn') {
      this.#takeOverComments(again, review)
      review.comments = []
    }
    const isElse = phase.kind === 'closed' && phase.end === 'diverged'
    again.problem = isElse ? leftAsItIs(originsOf(askers)) : writtenAgainst(originsOf(askers))
    this.#changed(again)
  }

  #letGo(): void {
    for (const review of superfluousOrphans(this.#reviews.values()))
      this.#dispatch(review, { kind: 'let-go' })
  }

  #close(review: Review, end: End): void {
    this.#reviews.delete(review.id)
    if (end !== 'replaced') this.#replaced.forget(review.id)
    const kept = this.#decided.add(review, end)
    const { id, realPath: path } = review
    const { disk, effect } = review.machine
    // What was accepted elsewhere was agreed to as well.
    if ((end === 'answered-there' || end === 'confirmed') && effect !== 'written' && disk !== 'unknown')
      this.#options.ledger.expect({ path, hash: disk === 'absent' ? null : disk })
    const how = endSentence(end, originsOf(review.askers), review.machine.effect)
    this.#deltas.emit({ id, delta: { kind: 'closed', how } })
    this.#changes.emit({ kind: 'remove', id })
    this.#changes.emit(describeEnd(review, end, kept))
    if (kept) this.#changes.emit({ kind: 'decided' })
  }

  /** Handles one event and all that follows from it; an event that comes meanwhile waits. */
  #dispatch(review: Review, event: MachineEvent, disk?: DiskFile): void {
    this.#events.push({ review, event, disk })
    if (this.#isRunning) return
    this.#isRunning = true
    try {
      for (let next = this.#events.shift(); next; next = this.#events.shift()) this.#take(next)
    } finally {
      this.#isRunning = false
    }
  }

  #take({ review, event, disk }: { review: Review; event: MachineEvent; disk: DiskFile | undefined }): void {
    const before = review.machine
    const { machine, orders } = stepMachine(before, event)
    review.machine = machine
    // An asker that is answered while others still wait is the one that leaves.
    for (const order of orders) {
      const asker = order.kind === 'settle' && !isSettled(machine) ? review.askers[order.asker] : undefined
      if (asker) asker.hasLeft = true
    }
    if (machine.phase !== before.phase || machine.askers !== before.askers) {
      review.problem = problemSentence(machine, originsOf(review.askers))
      this.#changed(review)
    } else if (meanwhileOf(machine) !== meanwhileOf(before)) this.#changed(review)
    this.#run(review, orders, disk)
    if (machine.phase !== before.phase && machine.phase.kind === 'orphaned') this.#letGo()
    if (isDeaf(before) && !isDeaf(machine)) review.look?.look()
    if (holdsUpOthers(before) && !holdsUpOthers(machine)) this.#advance(review.realPath)
  }

  /** Carries out the machine's orders. `disk`: what the file was just seen to hold. */
  #run(review: Review, orders: readonly Order[], disk?: DiskFile): void {
    for (const order of orders) {
      switch (order.kind) {
        case 'record':
          review.recording = this.#record(review, order.insists ?? false)
          break
        case 'settle':
          this.#settle(review, order.asker, order.verdict)
          break
        case 'pass-note':
          this.#passNote(review, order.note)
          break
        case 'expect-write': {
          const { accepted, base, phase } = review.machine
          const announced = phase.kind === 'writing' ? null : accepted
          const left = isPutBack(review) ? base : (announced ?? acceptedContentOf(review.content).fingerprint)
          const hash = left === 'absent' ? null : left
          this.#options.ledger.expect({ path: review.realPath, hash })
          break
        }
        case 'start-timer':
          if (review.timer) clearTimeout(review.timer)
          review.timer = setTimeout(
            () => this.#dispatch(review, { kind: 'timeout' }),
            this.#options.patience ?? overdueAfter,
          )
          break
        case 'stop-timer':
          if (review.timer) clearTimeout(review.timer)
          review.timer = null
          break
        case 'write':
          review.writing = this.#write(review)
          break
        case 'rebase':
          if (disk) this.#rebaseOn(review, disk)
          else void this.#rebase(review)
          break
        case 'reopen-written':
          this.#reopen(review)
          break
        case 'close':
          review.look?.dispose()
          this.#close(review, order.end)
          break
        default:
          unreachable(order)
      }
    }
  }

  /** Writes the decision to the journal; resolves to whether it counts. */
  async #record(review: Review, insists: boolean): Promise<boolean> {
    const { verdict, accepted } = review.machine
    const said = verdict?.kind === 'accepted' ? 'accepted' : 'rejected'
    const counts = (await review.log.decided(said, accepted, insists)) || insists
    if (!this.#disposed) this.#dispatch(review, { kind: counts ? 'recorded' : 'unrecorded' })
    return counts
  }

  #settle(review: Review, number: number, verdict: Verdict): void {
    const asker = review.askers[number]
    if (!asker) return
    const isTold = this.#tell(review, asker, verdict)
    asker.answer?.(isTold && verdict.kind === 'rejected' ? { ...verdict, told: true } : verdict)
    asker.answer = null
    if (asker.hasLeft) review.log.note({ kind: 'left', asker: number })
    else if (review.askers.every(({ answer }) => answer === null)) review.log.note({ kind: 'delivered' })
  }

  /** Has the asker's model told what is said with a decision, if there is a way beside the prompt. */
  #tell({ id, machine, proposal }: Review, asker: Asker, verdict: Verdict): boolean {
    if (asker.isTold || verdict.kind === 'withdrawn' || machine.effect === 'written') return false
    const words = verdict.kind === 'accepted' ? verdict.words : verdict.note
    if (words === undefined) return false
    const { origin } = asker
    const said = { ...{ review: id, origin, path: proposal.path }, decision: verdict.kind, words }
    asker.isTold = this.#options.tell?.(said) === true
    return asker.isTold
  }

  #passNote({ askers, place }: Review, note: string): void {
    const origins = originsOf(askers.filter(({ isTold }) => !isTold))
    if (origins.length === 0) return
    const text = origins.some((origin) => this.#options.typeNote(origin, note))
      ? `Your note is in ${readNames(origins)}’s prompt. Press Enter there to send it.`
      : `${readNames(origins)} has no terminal here, so your note wasn’t sent: “${note}”`
    this.#changes.emit({ kind: 'told', text, place })
  }

  async #write(review: Review): Promise<void> {
    const written = await writeResult(review, this.#options.swapper)
    if (this.#disposed) return
    this.#dispatch(review, { kind: 'wrote', ok: written.ok })
    if (written.ok) return
    review.problem = written.failure.message
    this.#changed(review)
    // Those that left during the write would have got this answer; nobody gets it now, so they are withdrawn.
    review.askers.forEach(({ signal }, asker) => {
      if (signal?.aborted)
        this.#dispatch(review, { kind: 'withdraw', reason: withdrawnReasonOf(signal), asker })
    })
  }

  /** A new revision: decisions made on the one before no longer apply. */
  #changed(review: Review): void {
    const { id } = review
    review.revision++
    const summary = this.summary(id)
    this.#changes.emit({ kind: summary ? 'put' : 'remove', id })
    if (summary) this.#deltas.emit({ id, delta: { kind: 'summary', summary } })
  }

  /** Begins a queued review on the file's present text. */
  async #takeTurn(review: Review): Promise<void> {
    const disk = await readFile(review.realPath, { maxBytes })
    if (this.#disposed || review.machine.phase.kind !== 'queued') return
    if (disk.ok) this.#see(review, disk.value, fingerprintOf(disk.value))
    this.#dispatch(review, { kind: 'turn' })
  }

  /**
   * Offers the person's edits to the earlier proposal here. They are the person's work, so the review now counts as
   * touched.
   */
  #noteOffer(review: Review, offer: Offer): void {
    review.offered = offer
    review.log.offered(offer)
    this.#dispatch(review, { kind: 'touched' })
  }

  #watch(review: Review): void {
    review.log.onProblem(() => this.#changed(review))
    review.look = new OutcomeWatch(
      review.realPath,
      (path, listener) => this.#options.watch(path, listener),
      (seen) => seen === review.machine.accepted || seen === review.machine.proposed,
      (disk, fingerprint) => this.#see(review, disk, fingerprint),
    )
  }

  /** What a write has left, with its content where a review has to see that. */
  async #sideAfter({ realPath, after }: Receipt): Promise<Side> {
    const file = fileOf(realPath, after)
    if (isWhole(after) || !this.isUnderReview(realPath)) return { file, isRead: isWhole(after) }
    const disk = await readFile(realPath, { maxBytes })
    const isSame = disk.ok && fingerprintOf(disk.value) === after.hash
    return isSame ? { file: disk.value, isRead: true } : { file, isRead: false }
  }

  /** Whether a write is what the review led to, or looks at. */
  #showWrite(review: Review, before: Side, after: Side): boolean {
    const isOver = () => !this.#reviews.has(review.id)
    const [was, now] = [fingerprintOf(before.file), fingerprintOf(after.file)]
    if (review.machine.effect !== 'written' && was !== review.machine.disk)
      this.#see(review, before.file, was, before.isRead)
    if (isOver()) return false
    if (isOutcome(review, after.file)) {
      review.agentsOwn = now
      this.#see(review, after.file, now, after.isRead)
      return true
    }
    this.#dispatch(review, { kind: 'overwritten', fingerprint: now }, after.isRead ? after.file : undefined)
    return false
  }

  /** `isRead`: the content is known, not only the hash. */
  #see(review: Review, disk: DiskFile, fingerprint: Fingerprint, isRead = true): void {
    const { machine, content } = review
    review.readOnly = disk.kind === 'file' && disk.readOnly
    review.seen = fingerprint
    const isOpen = machine.phase.kind === 'open' || machine.phase.kind === 'queued'
    const isAwaited = !isOpen && holdsAwaited(content, machine.effect, disk, review.proposal.holds)
    this.#dispatch(review, { kind: 'disk', fingerprint, isAwaited }, isRead ? disk : undefined)
  }

  /** The disk has a different text than the draft's base: moves the draft onto it. */
  async #rebase(review: Review): Promise<void> {
    const disk = await readFile(review.realPath, { maxBytes })
    if (disk.ok && !this.#disposed && isWorkedOn(review.machine)) this.#rebaseOn(review, disk.value)
  }

  #rebaseOn(review: Review, disk: DiskFile): void {
    if (review.machine.effect === 'written') return this.#renew(review, disk)
    // A rebase onto nothing would make the change look like a new file, so it keeps the base it was made from.
    if (disk.kind === 'absent' && review.machine.base !== 'absent') return
    this.#dispatch(review, { kind: 'rebased', base: fingerprintOf(disk) })
    const text = textOf(disk)
    if (!text || review.content.kind !== 'text') return
    const { exact, facts: own } = review.content
    const base = exact && own.eol === 'mixed' ? asMixed(text) : text
    const before = baseOf(review.content.draft)
    const after = toText(base.text)
    review.isNew = disk.kind === 'absent'
    if (!before.eq(after)) {
      review.isStale = true
      this.#stepHere(review, { kind: 'rebase', changes: changesBetween(before, after) })
    }
    const facts = disk.kind === 'absent' ? own : base.facts
    const lineEnds = before.eq(after) ? review.content.lineEnds : null
    const sides = exact ? { exact: { ...exact, baseFacts: facts } } : {}
    const { baseFacts: _, ...content } = review.content
    review.content = { ...content, facts, lineEnds, ...sides }
    review.log.note({ kind: 'base', base: fingerprintOf(disk), facts })
    this.#changed(review)
  }

  /** A written change was written again, by the agent or by the person. */
  #renew(review: Review, disk: DiskFile): void {
    const { content, machine, realPath } = review
    const seen = fingerprintOf(disk)
    const isPersons =
      seen !== review.agentsOwn &&
      this.#options.isAgents?.(realPath, seen === 'absent' ? null : seen) === false
    const renewal = content.kind === 'text' ? renew(content, machine.base, disk, isPersons) : null
    if (renewal) {
      review.content = renewal.content
      this.#stepHere(review, renewal.step)
      const { base, proposed } = renewal
      const { facts, exact: written } = renewal.content
      this.#dispatch(review, { kind: 'renewed', base, proposed })
      review.log.note({ kind: 'renewed', base, proposed, facts, written })
      review.isStale ||= isPersons
    } else {
      review.content = bytesAgain(content, disk)
      this.#dispatch(review, { kind: 'renewed', base: machine.base, proposed: seen })
      if (content.kind === 'text') review.problem = noTextAnyMore
    }
    this.#changed(review)
  }

  /** Takes a page's steps, if the draft can be worked on; steps it already has are skipped. */
  #takePush(review: Review, push: DraftPush): PushAnswer {
    if (review.content.kind !== 'text' || !isWorkedOn(review.machine)) return { status: 'closed' }
    const taken = takePush(review.content, push)
    if (taken.status === 'behind') return { status: 'behind' }
    const { steps, content } = taken
    if (steps.length === 0) {
      review.content = content
      return { status: 'accepted', revision: review.revision }
    }
    this.#keepSteps(review, push.client, steps, content)
    if (steps.some(({ kind }) => kind !== 'edit')) void review.log.flush()
    if (!review.machine.touched || review.machine.accepted !== null)
      this.#dispatch(review, { kind: 'touched' })
    this.#changed(review)
    return { status: 'accepted', revision: review.revision }
  }

  /** Notes steps in the journal, keeps the new draft and tells the pages. */
  #keepSteps(review: Review, client: string, steps: readonly DraftStep[], content: TextContent): void {
    const json = steps.map(stepToJson)
    for (const step of json) review.log.note({ kind: 'step', step })
    review.content = content
    const version = content.version - steps.length
    this.#deltas.emit({ id: review.id, delta: { kind: 'steps', version, client, steps: json } })
  }

  /** Takes a step of the host's own. */
  #stepHere(review: Review, step: DraftStep): void {
    if (review.content.kind !== 'text') return
    const stepped = applyStep(review.content.draft, step)
    if (!stepped) return
    this.#keepSteps(review, 'host', [step], withSteps(review.content, 'host', [step], stepped.draft))
  }
}

const noTextAnyMore =
  'The file is no longer text. Accept file keeps it as it is; Reject file puts the old text back.'
