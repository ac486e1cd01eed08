import { randomUUID } from 'node:crypto'
import type { Proposal } from '../../../shared/review/proposal'
import type { DiskFile } from '../files/read-file'
import { type Asker, originsOf } from './askers'
import { recordOf } from './comparison'
import type { DeskOptions } from './desk-events'
import { fingerprintOf } from './fingerprint'
import { type Machine, startMachine } from './machine'
import { problemSentence } from './sentences'
import { type Offer, type ReviewContent, acceptedContentOf } from './review-content'
import { type Review, makeReview } from './review'

/** What a review begins with; without a `machine` it is asked and waits its turn. */
export interface NewReview {
  readonly proposal: Proposal
  readonly disk: DiskFile
  readonly content: ReviewContent
  readonly askers: Asker[]
  readonly offered?: Offer | null
  readonly machine?: Machine
}

/** Makes a review and begins its record in the journal. */
export function newReview(
  { journal, placeOf }: Pick<DeskOptions, 'journal' | 'placeOf'>,
  { proposal, disk, content, askers, offered = null, machine }: NewReview,
): Review {
  const id = randomUUID()
  const { realPath } = disk
  const begun =
    machine ?? startMachine(proposal.effect, fingerprintOf(disk), acceptedContentOf(content).fingerprint)
  return makeReview({
    id,
    proposal,
    realPath,
    askedAt: Date.now(),
    log: journal.begin(recordOf(id, proposal, disk, content)),
    machine: begun,
    content,
    place: placeOf(realPath, proposal.origin),
    readOnly: disk.kind === 'file' && disk.readOnly,
    isNew: disk.kind === 'absent',
    offered,
    askers,
    problem: problemSentence(begun, originsOf(askers)),
  })
}
