import type { Result } from '../../../shared/result'
import type { FileFailure } from '../files/file-failure'
import type { DiskFile } from '../files/read-file'
import { makeAsker } from './askers'
import { storedContent } from './comparison'
import { fingerprintOf } from './fingerprint'
import type { ReviewLog, StoredReview } from './journal'
import { type Order, restoreMachine } from './machine'
import { type Place, type Review, makeReview } from './review'
import { problemSentence } from './sentences'

/** A review found in the journal, as the disk lets it go on; none of those who asked can be answered. */
export function restoreReview(
  stored: StoredReview,
  log: ReviewLog,
  disk: Result<DiskFile, FileFailure>,
  place: Place,
): { review: Review; orders: readonly Order[] } {
  const { record, askers, touched, verdict, accepted } = stored
  const fingerprint = disk.ok ? fingerprintOf(disk.value) : 'unreadable'
  const { effect, base, proposed } = record
  const { machine, orders } = restoreMachine(
    { effect, touched, verdict, base, proposed, accepted, disk: base },
    fingerprint,
  )
  const review = makeReview({
    id: record.id,
    proposal: { ...record, proposed: '' },
    realPath: record.realPath,
    askedAt: record.askedAt,
    log,
    machine,
    content: storedContent(stored),
    place,
    readOnly: disk.ok && disk.value.kind === 'file' && disk.value.readOnly,
    isNew: record.base === 'absent',
    askers: askers.map((origin) => makeAsker(origin)),
    problem: problemSentence(machine, askers),
  })
  return { review, orders }
}
