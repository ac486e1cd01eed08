import type { Text } from '@codemirror/state'
import { basename } from 'node:path'
import type { ReviewSummary } from '../../../shared/contract/review'
import { type ReviewComment, commentWords, placeComments } from '../../../shared/review/comments'
import { type Draft, type Hunk, baseOf, countChanges, isTouched } from '../../../shared/review/draft'
import { unreachable } from '../../../shared/result'
import type { Origin, Proposal } from '../../../shared/review/proposal'
import { restoreText } from '../../../shared/text/text-facts'
import { type Asker, makeAsker, originsOf, readNames } from './askers'
import type { OutcomeWatch } from './outcome-watch'
import type { DiskFile } from '../files/read-file'
import { type Fingerprint, fingerprintOf } from './fingerprint'
import type { ReviewLog } from './review-log'
import { type End, type Machine, meanwhileOf } from './machine'
import { createPatch } from './patch'
import {
  type Offer,
  type ReviewContent,
  baseFactsOf,
  holdsAwaited,
  acceptedContentOf,
} from './review-content'

/** Where a review is shown: its window, and the file's place as the person reads it. */
export interface Place {
  /** The window's id; null while no window contains the path. */
  window: string | null
  folder: string
  isOutside: boolean
}

export interface Review {
  readonly id: string
  readonly proposal: Proposal
  readonly realPath: string
  /** Milliseconds since the epoch. */
  readonly askedAt: number
  readonly log: ReviewLog
  machine: Machine
  content: ReviewContent
  revision: number
  place: Place
  readOnly: boolean
  isNew: boolean
  isStale: boolean
  problem: string | null
  /** The result of the review that this one replaced, and the proposal it was made from. */
  offered: Offer | null
  /** What the person says of its lines, told with the decision. */
  comments: readonly ReviewComment[]
  /** Who asks for this change, numbered as in the machine. The proposal is the first one's. */
  readonly askers: Asker[]
  /** Resolves to whether the latest decision counts: recorded, or insisted on. */
  recording: Promise<boolean>
  /** Resolves when the host's own write has ended. */
  writing: Promise<void>
  timer: NodeJS.Timeout | null
  look: OutcomeWatch | null
  /** What the file was last seen to hold. */
  seen: Fingerprint | null
  /** What an agent itself says that it wrote last. */
  agentsOwn: Fingerprint | null
}

/** What must be given to begin a review; the rest has defaults. */
type Beginning = Pick<
  Review,
  'id' | 'proposal' | 'realPath' | 'askedAt' | 'log' | 'machine' | 'content' | 'place' | 'readOnly' | 'isNew'
> &
  Partial<Review>

export function makeReview(beginning: Beginning): Review {
  return {
    revision: 1,
    isStale: false,
    problem: null,
    offered: null,
    comments: [],
    askers: [makeAsker(beginning.proposal.origin)],
    recording: Promise.resolve(true),
    writing: Promise.resolve(),
    timer: null,
    look: null,
    seen: null,
    agentsOwn: null,
    ...beginning,
  }
}

/** Whether an agent's write of the file is the one that a review led to, or is looked at in it. */
export function isOutcome({ machine, content, proposal }: Review, disk: DiskFile): boolean {
  const { effect, phase, proposed, accepted } = machine
  const left = fingerprintOf(disk)
  if (effect === 'written' || left === accepted || left === proposed) return true
  return phase.kind === 'awaiting' && holdsAwaited(content, effect, disk, proposal.holds)
}

/** The draft as a unified patch against its base, with its path; null if it isn't text. */
export function patchOf(review: Review): { text: string; path: string } | null {
  const { content } = review
  if (content.kind !== 'text') return null
  const before = review.isNew ? null : restoreText(baseOf(content.draft).toString(), baseFactsOf(content))
  return {
    text: createPatch(review.realPath, before, acceptedContentOf(content).text),
    path: review.realPath,
  }
}

/** What acceptance would leave: no file, if nothing of a new file is accepted. */
export function wantedOf({ content, machine }: Review): { text: string; fingerprint: string } {
  const { text, fingerprint } = acceptedContentOf(content)
  const isNothing =
    machine.base === 'absent' &&
    content.kind === 'text' &&
    content.draft.b.length === 0 &&
    content.draft.hunks.length > 0 &&
    content.draft.hunks.every(({ decision }) => decision.kind === 'rejected')
  return isNothing ? { text: '', fingerprint: 'absent' } : { text, fingerprint }
}

/** What the model is told with the decision: a note and the comments, where their lines are now; undefined if nothing. */
export function wordsOf({ comments, content, proposal }: Review, note?: string): string | undefined {
  const placed = content.kind === 'text' ? placeComments(comments, content.draft.b) : comments
  return commentWords(proposal.path, placed, note) ?? undefined
}

/** A review's row in the list; null once it is closed. */
export function summarise(review: Review): ReviewSummary | null {
  const phase = phaseOf(review)
  if (phase === null) return null
  const { content } = review
  const counts = content.kind === 'text' ? countChanges(content.draft) : { total: 1, decided: 0, written: 1 }
  const lines = content.kind === 'text' ? countLines(content.draft) : { added: 0, removed: 0 }
  const origins = originsOf(review.askers)
  const origin = originOf(review)
  const meanwhile = meanwhileOf(review.machine)
  return {
    id: review.id,
    path: review.proposal.path,
    ...(review.realPath === review.proposal.path ? {} : { realPath: review.realPath }),
    name: basename(review.proposal.path),
    folder: review.place.folder,
    agent: origin.agent,
    ...(origins.length > 1 ? { agents: readNames(origins) } : {}),
    dialect: origin.dialect,
    connection: origin.connection,
    ...(origin.conversation === undefined ? {} : { conversation: origin.conversation }),
    ...(origin.dialect === 'watcher' ? { duringTurn: true } : {}),
    ...(origin.command === undefined ? {} : { command: origin.command }),
    title: review.proposal.title,
    phase,
    effect: review.machine.effect,
    content: content.kind,
    isNew: review.isNew,
    ...(isGone(content) ? { isGone: true } : {}),
    ...(isBeforeUnknown(content) ? { isBeforeUnknown: true } : {}),
    isOutside: review.place.isOutside,
    isReadOnly: review.readOnly,
    isStale: review.isStale,
    ...(meanwhile ? { meanwhile } : {}),
    addedLines: lines.added,
    removedLines: lines.removed,
    changes: counts.total,
    decided: counts.decided,
    written: counts.written,
    askedAt: review.askedAt,
    ...(review.machine.touched ? { isTouched: true } : {}),
    problem: review.problem,
    ...(review.log.problem === null ? {} : { unrecorded: review.log.problem }),
    revision: review.revision,
  }
}

function isGone(content: ReviewContent): boolean {
  return content.kind === 'text' ? content.exact?.isGone === true : content.written?.hash === 'absent'
}

/** Already on disk, and what was there before can't be put back. */
export function isBeforeUnknown(content: ReviewContent): boolean {
  return content.kind === 'binary' && content.written?.before === 'unknown'
}

function phaseOf({ machine, log }: Review): ReviewSummary['phase'] | null {
  const { phase } = machine
  switch (phase.kind) {
    case 'queued':
    case 'open':
    case 'awaiting':
    case 'overdue':
    case 'orphaned':
      return phase.kind
    case 'recording':
    case 'writing':
      if (phase.kind === 'writing' && phase.from !== 'recording') return phase.from
      // The recording will probably fail, and then the decision is the person's again.
      if (log.problem !== null && phase.kind === 'recording') return 'open'
      // For the person a rejection is over immediately; only an acceptance waits for the disk.
      return machine.verdict?.kind === 'accepted' ? 'awaiting' : null
    case 'watching':
    case 'closed':
      return null
    default:
      return unreachable(phase)
  }
}

/** A draft's counts are asked for several times while it is shown. */
const counted = new WeakMap<Draft, { added: number; removed: number }>()

/** Lines that the result adds to the base and removes from it, without rejected changes. */
export function countLines(draft: Draft): { added: number; removed: number } {
  const known = counted.get(draft)
  if (known) return known
  let added = 0
  let removed = 0
  for (const hunk of draft.hunks) {
    if (hunk.decision.kind === 'rejected') continue
    added += linesOf(draft.b, hunk.fromB, hunk.toB)
    removed +=
      hunk.decision.kind === 'accepted'
        ? linesIn(hunk.decision.was, startsInLine(draft.a, hunk))
        : linesOf(draft.a, hunk.fromA, hunk.toA)
  }
  counted.set(draft, { added, removed })
  return { added, removed }
}

/** As `linesIn`, without making a string. */
function linesOf(text: Text, from: number, to: number): number {
  if (from === to) return 0
  const [first, last] = [text.lineAt(from), text.lineAt(to)]
  const breaks = last.number - first.number
  if (first.from !== from && first.to === from) return breaks
  return breaks + (last.from === to ? 0 : 1)
}

function startsInLine(text: Text, hunk: Hunk): boolean {
  return hunk.fromA > 0 && text.lineAt(hunk.fromA).from !== hunk.fromA
}

/** A change at the end of a text may begin with the previous line's break, which isn't a line of its own. */
function linesIn(slice: string, startsInLine: boolean): number {
  if (slice === '') return 0
  const breaks = slice.split('\n').length - 1
  if (startsInLine && slice.startsWith('\n')) return breaks
  return breaks + (slice.endsWith('\n') ? 0 : 1)
}

/**
 * What the file may hold when the review has ended, as far as that was agreed to; nothing if a question ended without
 * an answer that writes.
 */
export function leftBy({ seen, machine }: Review, end: End): Fingerprint[] {
  const { disk, base, accepted, effect } = machine
  const isUnanswered = ['rejected', 'withdrawn', 'replaced', 'discarded', 'unconfirmed'].includes(end)
  if (effect !== 'written' && isUnanswered) return []
  return [seen, disk, accepted, end === 'rejected' ? base : null].filter((one) => one !== null)
}

/** The person's edits to a proposal, for the one that replaces it; null if there are none. */
export function editsOf(content: ReviewContent): Offer | null {
  if (content.kind !== 'text' || !isTouched(content.draft)) return null
  return { proposed: content.firstProposed, result: content.draft.b }
}

/** What a review leaves to the one that replaces it: the person's edits, else the offer it got itself. */
export function offerOf({ content, offered }: Review): Offer | null {
  return editsOf(content) ?? offered
}

/**
 * Why the agent can't be told to write the draft as it stands; null if it can, or if the draft leaves the file as it
 * is, which is a rejection.
 */
export function objectionOf(review: Review | undefined): string | null {
  if (review?.proposal.objection === undefined) return null
  const { text, fingerprint } = wantedOf(review)
  const { disk } = review.machine
  return fingerprint === disk ? null : review.proposal.objection(text, disk)
}

/** The first asker's origin. */
export function originOf({ askers, proposal }: Review): Origin {
  return originsOf(askers)[0] ?? proposal.origin
}
