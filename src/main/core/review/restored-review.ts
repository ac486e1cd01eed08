import type { Result } from '../../../shared/result'
import { toText } from '../../../shared/text/text-facts'
import type { FileFailure } from '../files/file-failure'
import type { DiskFile } from '../files/read-file'
import { makeAsker } from './askers'
import { asMixed, storedContent, textOf } from './comparison'
import { fingerprintOf } from './fingerprint'
import type { StoredReview } from './stored-review'
import { type Order, beginMachine, startMachine } from './machine'
import type { ReviewLog } from './review-log'
import { type Place, type Review, makeReview } from './review'
import { type ReviewContent, holdsAwaited, acceptedContentOf } from './review-content'
import { problemSentence } from './sentences'

/** Continues a review found in the journal, depending on what the disk holds. None of its askers can be answered. */
export function restoreReview(
  stored: StoredReview,
  log: ReviewLog,
  disk: Result<DiskFile, FileFailure>,
  place: Place,
): { review: Review; orders: readonly Order[] } {
  const { record, askers, offered } = stored
  const fingerprint = disk.ok ? fingerprintOf(disk.value) : 'unreadable'
  const { effect, base, proposed } = record
  const isAsSeen = effect === 'written' && proposed === fingerprint
  const content = seenContent(storedContent(stored), disk, isAsSeen)
  // Carried onto another text since, so it must be decided again before the host writes it.
  const isStale =
    effect === 'agent-then-host' &&
    stored.accepted !== null &&
    stored.accepted !== acceptedContentOf(content).fingerprint
  const { machine, orders } = beginMachine(startMachine(effect, base, proposed, false), {
    kind: 'restored',
    // Edits to an earlier proposal are the person's work too.
    touched: stored.touched || offered !== null || stored.damage !== null || isStale,
    verdict: stored.verdict?.kind === 'rejected' ? 'rejected' : stored.verdict && 'accepted',
    accepted: isStale ? null : stored.accepted,
    disk: fingerprint,
    isAwaited: disk.ok && holdsAwaited(content, effect, disk.value),
  })
  const review = makeReview({
    id: record.id,
    proposal: { ...record, proposed: '' },
    realPath: record.realPath,
    askedAt: record.askedAt,
    log,
    machine,
    content,
    place,
    readOnly: disk.ok && disk.value.kind === 'file' && disk.value.readOnly,
    isNew: record.base === 'absent',
    offered,
    comments: stored.comments,
    askers: askers.map((origin) => makeAsker(origin)),
    problem: [stored.damage, problemSentence(machine, askers)].filter(Boolean).join(' ') || null,
  })
  return { review, orders }
}

/** A written file's text is taken from the disk if that is as last seen. */
function seenContent(
  content: ReviewContent,
  disk: Result<DiskFile, FileFailure>,
  isAsSeen: boolean,
): ReviewContent {
  const read = disk.ok && isAsSeen ? textOf(disk.value) : null
  if (content.kind !== 'text' || !read) return content
  const isMixed = content.facts.eol === 'mixed'
  return { ...content, firstProposed: toText((isMixed ? asMixed(read) : read).text) }
}
