import type { Text } from '@codemirror/state'
import type { Draft } from '../../../shared/review/draft'
import type { Effect, Origin, Verdict } from '../../../shared/review/proposal'
import type { TextFacts } from '../../../shared/text/text-facts'
import type { Offer, WrittenBytes, WrittenText } from './review-content'

/**
 * What is known of a review when it begins. Kept in the data directory before anyone is asked, so that a crash loses
 * nothing: one folder a review, the texts once, then a log of steps and decisions.
 */
export interface ReviewRecord {
  id: string
  /** Milliseconds since the epoch. */
  askedAt: number
  /** Who asked first. */
  origin: Origin
  path: string
  realPath: string
  title: string
  effect: Effect
  /** Fingerprints as in the machine. */
  base: string
  proposed: string
  facts: TextFacts
  content:
    | { kind: 'text'; draft: Draft; lineEnds: { text: string } | null; written?: WrittenText }
    | { kind: 'binary'; text: string; sizeBefore: number | null; written?: WrittenBytes }
}

/** A review found in the data directory, with its draft as it stood. */
export interface StoredReview {
  record: ReviewRecord
  /** All who ask, in the order of asking; those that went while others stayed are left out. */
  askers: Origin[]
  /** The proposal as it first came. */
  firstProposed: Text
  steps: number
  touched: boolean
  verdict: Verdict | null
  accepted: string | null
  /** Edits to an earlier proposal, not taken over yet. */
  offered: Offer | null
  /** What of it was lost by damage, as a sentence. */
  damage: string | null
}
