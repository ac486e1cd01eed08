import type { Effect, Origin } from '../../../shared/review/proposal'
import { type SameTree, originsOf, readNames } from './askers'
import type { DraftStarter } from './comparison'
import type { Fingerprint } from './fingerprint'
import type { Disposable } from '../../../shared/lifetime'
import type { FileSwapper } from '../files/compare-and-swap'
import type { Ledger } from '../files/ledger'
import type { ReviewJournal } from './journal'
import type { End } from './machine'
import { type Place, type Review, leftBy } from './review'
import { bytesLeft } from './written'

/** What the desk needs of the rest of the app. */
export interface DeskOptions {
  journal: ReviewJournal
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
  /** Which window a path belongs to; asked again when windows change. */
  placeOf(path: string, origin: Origin): Place
  /** Without it only questions of one connection are one agent's. */
  isOneTree?: SameTree
  startElsewhere?: DraftStarter
}

/** A review is over. */
export interface ReviewEnded {
  kind: 'ended'
  id: string
  end: End
  effect: Effect
  path: string
  /** What the file can hold now as far as the review knows. */
  left: readonly Fingerprint[]
  /** The very bytes that it left, null for no file; undefined where that is not certain. */
  bytes: Uint8Array | null | undefined
  agent: string
  place: Place
  canUndo: boolean
  /** It was rejected, and can be taken up again. */
  canReopen: boolean
}

/** What everyone hears of the list of reviews. */
export type DeskEvent =
  | { kind: 'put'; id: string }
  | { kind: 'remove'; id: string }
  | { kind: 'decided' }
  | ReviewEnded
  /** Why no decision can be recorded at present, as a sentence; null once all are again. */
  | { kind: 'recording'; problem: string | null }
  /** A sentence for the person, with the window it belongs to. */
  | { kind: 'told'; text: string; place: Place }

/** What is told of a review when it is over. */
export function describeEnd(
  review: Review,
  end: End,
  kept: { canUndo: boolean; canReopen: boolean } | null,
): ReviewEnded {
  const { id, realPath: path, place, machine, askers } = review
  const { effect } = machine
  const agent = readNames(originsOf(askers))
  return {
    kind: 'ended',
    id,
    end,
    effect,
    path,
    left: leftBy(review, end),
    bytes: bytesLeft(review, end),
    agent,
    place,
    canUndo: kept?.canUndo ?? false,
    canReopen: kept?.canReopen ?? false,
  }
}
