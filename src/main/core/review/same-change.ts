import type { Origin, Proposal } from '../../../shared/review/proposal'
import type { Fingerprint } from './fingerprint'
import { isJoinable } from './machine'
import type { Review } from './review'

/** One asker of a review, by its number. */
export interface ReviewAsker {
  review: Review
  asker: number
}

/** Tells whether a review asks for exactly this change, so that one answer serves both. */
export function equalTo(
  { proposed, effect }: Proposal,
  realPath: string,
  fingerprint: Fingerprint,
): (review: Review) => boolean {
  return (review) =>
    review.realPath === realPath &&
    (review.proposal.proposed === proposed || review.machine.proposed === fingerprint) &&
    isJoinable(review.machine, effect)
}

/**
 * Where one asker still waits for the person on a path. Sub-agents share their agent's connection, but work beside each
 * other: each is an asker of its own.
 */
export function findAskers(
  reviews: Iterable<Review>,
  { connection, subAgent }: Origin,
  realPath: string,
): ReviewAsker[] {
  return [...reviews].flatMap((review) => {
    const { machine, askers } = review
    const isAsked = machine.phase.kind === 'open' || machine.phase.kind === 'queued'
    if (review.realPath !== realPath || !isAsked || machine.effect === 'written') return []
    const asker = askers.findIndex(
      ({ origin }, number) =>
        origin.connection === connection &&
        origin.subAgent === subAgent &&
        machine.askers[number] === 'waiting',
    )
    return asker < 0 ? [] : [{ review, asker }]
  })
}
