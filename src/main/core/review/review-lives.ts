import { changesBetween } from '../../../shared/text/line-diff'
import { type DraftStep, applyStep, baseOf } from '../../../shared/review/draft'
import { fail, unreachable } from '../../../shared/result'
import {
  type Origin,
  type Verdict,
  type WithdrawnReason,
  withdrawnReasons,
} from '../../../shared/review/proposal'
import type { ReviewDelta } from '../../../shared/contract/review'
import { toText } from '../../../shared/text/text-facts'
import type { Disposable } from '../../../shared/lifetime'
import type { FileSwapper } from '../files/compare-and-swap'
import type { Ledger } from '../files/ledger'
import { type DiskFile, readFile } from '../files/read-file'
import { isStillReal } from '../files/real-path'
import { removeIfSame } from '../files/remove-if-same'
import { originsOf, readNames } from './askers'
import { textOf } from './comparison'
import { type Fingerprint, fingerprintOf } from './fingerprint'
import { DiskLook, maxBytes } from './disk-look'
import { type Order, type End, type MachineEvent, stepMachine } from './machine'
import { isHostsTurn, isSettled, meanwhileOf } from './machine'
import { type DraftPush, type PushAnswer, takePush, withSteps } from './draft-pushes'
import { type Offer, type TextContent, resultOf } from './review-content'
import { type Place, type Review, isEditable, summarise } from './review'
import { renew } from './renewal'
import { problemSentence, unknownBefore } from './sentences'
import { stepToJson } from '../../../shared/review/step-json'
import { bytesAgain, bytesBefore } from './written'

/** What a review under way needs of the rest of the app. */
export interface LifeOptions {
  ledger: Ledger
  swapper: FileSwapper
  /** Calls back whenever a file may have changed after the promise has settled. */
  watch(path: string, listener: () => void): Promise<Disposable>
  /** Types a note into the agent's prompt without sending it. False where the agent has no terminal here. */
  typeNote(origin: Origin, note: string): boolean
  /** Whether what a path holds now, by its hash, was written by an agent and not by the person. */
  isAgents?(path: string, hash: string | null): boolean
  /** Milliseconds until an accepted change that is not on disk counts as overdue; 5,000. */
  patience?: number
}

/** What the desk hears of a review. */
export interface LifeListener {
  changed(review: Review): void
  delta(review: Review, delta: ReviewDelta): void
  /** A sentence for the person. */
  told(text: string, place: Place): void
  /** It has come into another phase, and what that orders is done. */
  moved(review: Review): void
  /** Nobody can be answered any more. */
  orphaned(): void
  reopen(review: Review): void
  closed(review: Review, end: End): void
}

/** Carries reviews through their lives: feeds the machine with events and does what it orders. */
export class ReviewLives {
  readonly #options: LifeOptions
  readonly #listener: LifeListener
  #disposed = false

  constructor(options: LifeOptions, listener: LifeListener) {
    this.#options = options
    this.#listener = listener
  }

  /** One event of a review's life, and all that follows from it. */
  dispatch(review: Review, event: MachineEvent, disk?: DiskFile): void {
    const before = review.machine
    const { machine, orders } = stepMachine(before, event)
    review.machine = machine
    // Whoever is answered while others still wait goes alone.
    for (const order of orders) {
      const asker = order.kind === 'settle' && !isSettled(machine) ? review.askers[order.asker] : undefined
      if (asker) asker.hasLeft = true
    }
    if (machine.phase !== before.phase || machine.askers !== before.askers) {
      review.problem = problemSentence(machine, originsOf(review.askers))
      this.changed(review)
    } else if (meanwhileOf(machine) !== meanwhileOf(before)) this.changed(review)
    this.run(review, orders, disk)
    if (machine.phase !== before.phase && machine.phase.kind === 'orphaned') this.#listener.orphaned()
    if (isHostsTurn(before) && !isHostsTurn(machine)) review.look?.look()
    if (machine.phase !== before.phase) this.#listener.moved(review)
  }

  /** A review that has waited begins, on the file's text as it is now. */
  async takeTurn(review: Review): Promise<void> {
    const disk = await readFile(review.realPath, { maxBytes })
    if (this.#disposed || review.machine.phase.kind !== 'queued') return
    if (disk.ok) this.#see(review, disk.value, fingerprintOf(disk.value))
    this.dispatch(review, { kind: 'turn' })
  }

  /** Edits of the person's that were made on the proposal before are offered here: work that is not lost by itself. */
  offer(review: Review, offer: Offer): void {
    review.offered = offer
    review.log.offered(offer)
    this.dispatch(review, { kind: 'touched' })
  }

  /** Something about the review is new: every decision must be made on it anew. */
  changed(review: Review): void {
    review.revision++
    this.#listener.changed(review)
    const summary = summarise(review)
    if (summary) this.#listener.delta(review, { kind: 'summary', summary })
  }

  /** Watches the review's file from now on. */
  watch(review: Review): void {
    review.log.onProblem(() => this.changed(review))
    review.look = new DiskLook(
      review.realPath,
      (path, listener) => this.#options.watch(path, listener),
      (seen) => seen === review.machine.accepted || seen === review.machine.proposed,
      (disk, fingerprint) => this.#see(review, disk, fingerprint),
    )
  }

  #see(review: Review, disk: DiskFile, fingerprint: Fingerprint): void {
    review.readOnly = disk.kind === 'file' && disk.readOnly
    review.seen = fingerprint
    // Some agents have their own way with the line ends of a mixed file: what was accepted is there all the same.
    const isThere = review.machine.phase.kind === 'awaiting' && holdsResult(review, disk)
    const seen = isThere ? (review.machine.accepted ?? fingerprint) : fingerprint
    this.dispatch(review, { kind: 'disk', fingerprint: seen }, disk)
  }

  /** A review of an earlier run goes on, on what its file holds now. */
  async takeUp(review: Review, orders: readonly Order[]): Promise<void> {
    const { phase, effect, disk, base, proposed } = review.machine
    if (phase.kind !== 'closed') {
      this.watch(review)
      if (disk !== (effect === 'written' ? proposed : base)) await this.rebase(review)
      this.#listener.changed(review)
    }
    this.run(review, orders)
  }

  /** Nothing is done any more, whatever is still under way. */
  dispose(): void {
    this.#disposed = true
  }

  /** Does what the machine orders. */
  run(review: Review, orders: readonly Order[], disk?: DiskFile): void {
    for (const order of orders) {
      switch (order.kind) {
        case 'record': {
          const { verdict, accepted } = review.machine
          const { insists = false } = order
          const { disk: seen } = review.machine
          const said = verdict?.kind === 'accepted' ? 'accepted' : 'rejected'
          review.recording = review.log.decided(said, accepted, insists).then((isRecorded) => {
            const counts = isRecorded || insists
            if (this.#disposed) return counts
            this.dispatch(review, { kind: counts ? 'recorded' : 'unrecorded' })
            // What came to the disk meanwhile was not carried over for a review that was about to end.
            if (!counts && review.machine.disk !== seen) void this.rebase(review)
            return counts
          })
          break
        }
        case 'settle':
          this.#settle(review, order.asker, order.verdict)
          break
        case 'pass-note':
          this.#passNote(review, order.note)
          break
        case 'expect-write': {
          const { accepted, base, phase } = review.machine
          const announced = phase.kind === 'writing' ? null : accepted
          const left = isPutBack(review) ? base : (announced ?? resultOf(review.content).fingerprint)
          const hash = left === 'absent' ? null : left
          this.#options.ledger.expect({ path: review.realPath, hash, origin: review.id })
          break
        }
        case 'start-timer':
          if (review.timer) clearTimeout(review.timer)
          review.timer = setTimeout(
            () => this.dispatch(review, { kind: 'timeout' }),
            this.#options.patience ?? 5000,
          )
          break
        case 'stop-timer':
          if (review.timer) clearTimeout(review.timer)
          review.timer = null
          break
        case 'write':
          void this.#write(review)
          break
        case 'rebase':
          if (disk) this.#rebaseOn(review, disk)
          break
        case 'reopen-written':
          this.#listener.reopen(review)
          break
        case 'close':
          review.look?.dispose()
          this.#listener.closed(review, order.end)
          break
        default:
          unreachable(order)
      }
    }
  }

  #settle(review: Review, number: number, verdict: Verdict): void {
    const asker = review.askers[number]
    if (!asker) return
    asker.answer?.(verdict)
    asker.answer = null
    if (asker.hasLeft) review.log.left(number)
    else if (review.askers.every(({ answer }) => answer === null)) review.log.delivered()
  }

  #passNote(review: Review, note: string): void {
    const origins = originsOf(review.askers)
    const text = origins.some((origin) => this.#options.typeNote(origin, note))
      ? `Your note is in the prompt of ${readNames(origins)}, not sent yet.`
      : `${readNames(origins)} has no terminal here, so your note was not passed on: “${note}”`
    this.#listener.told(text, review.place)
  }

  /** Writes the result, or for a change already written that is refused, the base. */
  async #write(review: Review): Promise<void> {
    const { machine, content, realPath } = review
    const expected = machine.disk === 'absent' ? null : machine.disk
    const bytes = isPutBack(review) ? bytesBefore(content) : resultOf(content).bytes
    const written =
      bytes === 'unknown'
        ? unknownBefore
        : !(await isStillReal(realPath))
          ? fail('changed', `${realPath} has become a link to another file. Look at it, then decide.`)
          : isPutBack(review) && machine.base === 'absent'
            ? await removeIfSame(realPath, machine.disk)
            : await this.#options.swapper.swap(realPath, expected, bytes, { createParents: true })
    if (this.#disposed) return
    this.dispatch(review, { kind: 'wrote', ok: written.ok })
    if (written.ok) return
    review.problem = written.failure.message
    this.changed(review)
    // Who went away during the write was still to be answered by it; nothing was said, so now it may go.
    review.askers.forEach(({ signal }, asker) => {
      if (signal?.aborted) this.dispatch(review, { kind: 'withdraw', reason: reasonOf(signal), asker })
    })
    review.look?.look()
  }

  /** The disk has another text than the draft's base: carry the draft over, and say so. */
  async rebase(review: Review): Promise<void> {
    const disk = await readFile(review.realPath, { maxBytes })
    if (disk.ok && !this.#disposed) this.#rebaseOn(review, disk.value)
  }

  #rebaseOn(review: Review, disk: DiskFile): void {
    if (review.machine.effect === 'written') return this.#renew(review, disk)
    // Set against nothing, the change would look like a new file: what it was made from stays beside it.
    if (disk.kind === 'absent' && review.machine.base !== 'absent') return
    const base = textOf(disk)
    if (!base || review.content.kind !== 'text') return
    const before = baseOf(review.content.draft)
    const after = toText(base.text)
    review.isNew = disk.kind === 'absent'
    if (!before.eq(after)) {
      review.isStale = true
      this.stepHere(review, { kind: 'rebase', changes: changesBetween(before, after) })
    }
    const facts = disk.kind === 'absent' ? review.content.facts : base.facts
    const lineEnds = before.eq(after) ? review.content.lineEnds : null
    review.content = { ...review.content, facts, lineEnds }
    review.log.rebased(fingerprintOf(disk), facts)
    this.changed(review)
  }

  /** Somebody who was answered elsewhere takes the draft: what is written then is no surprise. Gives its text. */
  handOver(review: Review): string {
    const { text, fingerprint } = resultOf(review.content)
    this.dispatch(review, { kind: 'hand-over', fingerprint })
    return text
  }

  /** Applies the edits made to the proposal that this one replaced, as far as their places still exist. */
  takeOffered(review: Review): void {
    if (review.offered === null || review.content.kind !== 'text') return
    const { proposed, result } = review.offered
    const edits = changesBetween(proposed, result)
    review.offered = null
    const changes = edits.map(changesBetween(proposed, review.content.draft.b))
    this.stepHere(review, { kind: 'edit', changes })
    // With the step in one writing: a crash finds either the offer or the edits.
    review.log.offered(null)
    this.dispatch(review, { kind: 'touched' })
    this.changed(review)
  }

  /** A change that is written already was written again, by the agent or by the person. */
  #renew(review: Review, disk: DiskFile): void {
    const { content, machine, realPath } = review
    const seen = fingerprintOf(disk)
    const isPersons = this.#options.isAgents?.(realPath, seen === 'absent' ? null : seen) === false
    const renewal = content.kind === 'text' ? renew(content, machine.base, disk, isPersons) : null
    if (renewal) {
      review.content = { ...renewal.content, draft: renewal.content.draft }
      this.stepHere(review, renewal.step)
      const { base, proposed } = renewal
      const { facts, written } = renewal.content
      review.machine = { ...review.machine, base, proposed, disk: proposed }
      review.log.renewed({ base, proposed, facts, written })
      review.isStale ||= isPersons
    } else {
      review.content = bytesAgain(content, disk)
      review.machine = { ...review.machine, proposed: seen, disk: seen }
      if (content.kind === 'text') review.problem = noTextAnyMore
    }
    this.changed(review)
  }

  /** A page's steps on a draft that can be worked on. A step that it has already is not taken again. */
  takePush(review: Review, push: DraftPush): PushAnswer {
    if (review.content.kind !== 'text' || !isEditable(review)) return { status: 'closed' }
    const taken = takePush(review.content, push)
    if (taken.status === 'behind') return { status: 'behind' }
    const { steps, content } = taken
    if (steps.length === 0) {
      review.content = content
      return { status: 'accepted', revision: review.revision }
    }
    this.#take(review, push.client, steps, content)
    if (steps.some(({ kind }) => kind !== 'edit')) void review.log.flush()
    if (!review.machine.touched || review.machine.accepted !== null)
      this.dispatch(review, { kind: 'touched' })
    this.changed(review)
    return { status: 'accepted', revision: review.revision }
  }

  /** Steps are in the journal, in the draft and told. */
  #take(review: Review, client: string, steps: readonly DraftStep[], content: TextContent): void {
    for (const step of steps) review.log.step(step)
    review.content = content
    const version = content.version - steps.length
    this.#listener.delta(review, { kind: 'steps', version, client, steps: steps.map(stepToJson) })
  }

  /** A step of the host's own, which every page follows. */
  stepHere(review: Review, step: DraftStep): void {
    if (review.content.kind !== 'text') return
    const stepped = applyStep(review.content.draft, step)
    if (!stepped) return
    this.#take(review, 'host', [step], withSteps(review.content, 'host', [step], stepped.draft))
  }
}

/** Whether a file holds the review's result, line ends left aside. */
function holdsResult(review: Review, disk: DiskFile): boolean {
  if (review.content.kind !== 'text' || disk.kind !== 'file' || disk.content.kind !== 'text') return false
  const plain = (text: string) => text.replaceAll('\r\n', '\n')
  return plain(disk.content.text) === plain(review.content.draft.b.toString())
}

const noTextAnyMore =
  'The file is no text any more. Accept file keeps it as it is, Reject file puts the old text back.'

/** Whether what is to be written is the text from before. */
function isPutBack({ machine }: Review): boolean {
  return machine.effect === 'written' && machine.verdict?.kind === 'rejected'
}

/** Why a question was withdrawn, as its signal says. */
export function reasonOf(signal: AbortSignal): WithdrawnReason {
  return withdrawnReasons.find((reason) => reason === signal.reason) ?? 'cancelled'
}
