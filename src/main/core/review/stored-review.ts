import type { Text } from '@codemirror/state'
import type { ReviewComment } from '../../../shared/review/comments'
import type { Draft } from '../../../shared/review/draft'
import type { Effect, Origin, Verdict } from '../../../shared/review/proposal'
import type { TextFacts } from '../../../shared/text/text-facts'
import type { Offer, TextContent, WrittenBytes } from './review-content'

/**
 * A review at its beginning. Stored in the data directory before anyone is asked, so that a crash loses nothing: one
 * folder per review, with its texts and a log of steps and decisions.
 */
export interface ReviewRecord {
  id: string
  /** Milliseconds since the epoch. */
  askedAt: number
  /** The first asker's. */
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
    | ({ kind: 'text'; draft: Draft } & Pick<TextContent, 'lineEnds' | 'exact' | 'baseFacts'>)
    | { kind: 'binary'; text: string; sizeBefore: number | null; written?: WrittenBytes }
}

/** A review found in the data directory, with its latest draft. */
export interface StoredReview {
  record: ReviewRecord
  /** In the order of asking, without those that left while others stayed. */
  askers: Origin[]
  /** The proposal as it first came. */
  firstProposed: Text
  steps: number
  touched: boolean
  verdict: Verdict | null
  accepted: string | null
  /** Edits to an earlier proposal that haven't been applied yet. */
  offered: Offer | null
  comments: readonly ReviewComment[]
  /** What was lost to damage, as a sentence. */
  damage: string | null
}
