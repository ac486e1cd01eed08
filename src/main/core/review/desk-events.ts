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
import { bytesLeft } from './written-proposal'

/** What the desk needs from the rest of the app. */
export interface DeskOptions {
  journal: ReviewJournal
  ledger: Ledger
  swapper: FileSwapper
  /** Once the promise has settled, `listener` is called whenever the file may have changed. */
  watch(path: string, listener: () => void): Promise<Disposable>
  /** Types a note into the agent's prompt without sending it. False if the agent has no terminal here. */
  typeNote(origin: Origin, note: string): boolean
  /** Tells the model what was said with a decision, apart from the answer itself. False if that isn't possible. */
  tell?(said: SaidWords): boolean
  /** Whether the content of this hash at this path was written by an agent rather than the person. */
  isAgents?(path: string, hash: string | null): boolean
  /** Milliseconds until an accepted change that isn't on disk counts as overdue; default 5,000. */
  patience?: number
  /** Where a path is shown; called again when windows change. */
  placeOf(path: string, origin: Origin): Place
  /** Without it, only questions on one connection count as one agent's. */
  isOneTree?: SameTree
  startElsewhere?: DraftStarter
  /** The program that searches the record's texts; null if there is none. */
  ripgrep?(): Promise<string | null>
}

/** What the person says to a model with a decision. */
export interface SaidWords {
  /** The review's id. */
  review: string
  /** Who asked. */
  origin: Origin
  path: string
  decision: 'accepted' | 'rejected'
  words: string
}

export interface ReviewEnded {
  kind: 'ended'
  id: string
  end: End
  effect: Effect
  path: string
  /** What the file may hold now, as far as the review knows. */
  left: readonly Fingerprint[]
  /** The exact bytes it left, null for no file; undefined if that isn't certain. */
  bytes: Uint8Array | null | undefined
  agent: string
  place: Place
  canUndo: boolean
  /** It was rejected and can be reopened. */
  canReopen: boolean
}

/** Changes to the list of reviews. */
export type DeskEvent =
  | { kind: 'put'; id: string }
  | { kind: 'remove'; id: string }
  | { kind: 'decided' }
  | ReviewEnded
  /** Why no decision can be recorded at present, as a sentence; null once they all are again. */
  | { kind: 'recording'; problem: string | null }
  /** A sentence for the person, with the window it belongs to. */
  | { kind: 'told'; text: string; place: Place }

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
