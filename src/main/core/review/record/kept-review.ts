import type { Origin } from '../../../../shared/review/proposal'
import { placeComments } from '../../../../shared/review/comments'
import { baseOf, undecideAll } from '../../../../shared/review/draft'
import { unreachable } from '../../../../shared/result'
import { diffLines } from '../../../../shared/text/line-diff'
import { encodeText } from '../../../../shared/text/text-facts'
import { hashContent } from '../../files/content-hash'
import { originsOf, readNames } from '../askers'
import { emptyFile, textInBytes } from '../comparison'
import { hashOf } from '../fingerprint'
import type { Keep } from '../journal'
import { type KeptReview, sumOfFile } from '../journal-format'
import type { KeptTexts } from './kept-folder'
import type { End } from '../machine'
import { linesOf } from '../patch'
import { type Review, countLines, originOf } from '../review'
import { type Held, type Receipt, isWhole, sumOf } from './receipts'
import { type TextContent, baseFactsOf, acceptedContentOf } from '../review-content'
import { bytesLeft } from '../written-proposal'

/** What is kept of a review that has just ended, for undo, reopening and the record; null if nothing is. */
export function keepOf(review: Review, end: End): Keep | null {
  const how = howOf(review, end)
  if (how === null) return null
  const { content } = review
  const wrote = wroteBy(review, end)
  const facts: Omit<KeptReview, 'accepted' | 'facts'> = {
    id: review.id,
    path: review.realPath,
    agent: readNames(originsOf(review.askers)),
    decidedAt: Date.now(),
    how,
    source: sourceOf(originOf(review)),
    by: { kind: 'person' },
    ...(wrote === undefined ? {} : { wrote }),
  }
  return content.kind === 'text' ? keepText(review, content, end, facts) : keepBytes(review, facts)
}

function keepBytes(review: Review, facts: Omit<KeptReview, 'accepted' | 'facts'>): Keep {
  const { content } = review
  const size = content.kind === 'binary' ? content.sizeBefore : null
  const sides = { ...sidesOf(review), ...(size === null ? {} : { bytesBefore: size }) }
  return { kept: { ...facts, accepted: null, facts: emptyFile.facts, content: 'binary', sides }, texts: {} }
}

function keepText(
  review: Review,
  content: TextContent,
  end: End,
  facts: Omit<KeptReview, 'accepted' | 'facts'>,
): Keep {
  const { old, ...back } = wayBack(review, content, end)
  const isWritten = review.machine.effect === 'written'
  const before = baseOf(content.draft).toString()
  const asked = content.firstProposed.toString()
  // The person can have a file put back again.
  const isQuestion = end === 'rejected' && !isWritten && !content.exact
  const reopens = isQuestion ? undecideAll(content.draft).b.toString() : asked
  const result = content.draft.b.toString()
  const { added, removed } = countLines(content.draft)
  const comments = placeComments(review.comments, content.draft.b)
  const texts: KeptTexts = {
    base: old,
    // The review's own file of it stays; that of a written change may hold an earlier text.
    ...(reopens === asked && !content.exact ? {} : { proposed: reopens }),
    ...(before === old ? {} : { before }),
    ...(asked === reopens ? {} : { asked }),
    ...(end === 'rejected' || result === asked || result === before ? {} : { written: result }),
  }
  const kept: KeptReview = {
    ...facts,
    ...back,
    ...(isQuestion && reopens !== old ? { question: questionOf(review) } : {}),
    sum: sumOfFile(Buffer.from(old)),
    sides: sidesOf(review),
    lines: { added, removed },
    ...(comments.length === 0 ? {} : { comments: [...comments] }),
  }
  return { kept, texts }
}

/** In UTF-16 units: if both texts together are longer, a receipt doesn't count changed lines. */
const longestCounted = 256 * 1024

const howUnquestioned = { rule: 'let-through', mode: 'unasked', person: 'answered-there' } as const

/** What is kept of a write that nobody was asked about. */
export function keepOfReceipt({ id, receipt }: { id: string; receipt: Receipt }): Keep {
  const { origin, realPath, before, after, at, by } = receipt
  const was = before && sumOf(before)
  const left = after && sumOf(after)
  const sides = { before: was && was.hash, proposed: left && left.hash, bytesBefore: was?.size ?? 0 }
  const facts: Omit<KeptReview, 'accepted' | 'facts'> = {
    id,
    path: realPath,
    agent: origin.agent,
    decidedAt: at,
    how: howUnquestioned[by.kind],
    source: sourceOf(origin),
    by,
    sides,
    wrote: { hash: sides.proposed, bytes: left?.size ?? 0 },
  }
  const [old, now] = [textIn(before), textIn(after)]
  if (!old)
    return { kept: { ...facts, accepted: null, facts: emptyFile.facts, content: 'binary' }, texts: {} }
  const isCounted = now && old.text.length + now.text.length <= longestCounted
  return {
    kept: {
      ...facts,
      accepted: sides.proposed ?? 'absent',
      ...(before ? {} : { wasAbsent: true as const }),
      // An undo writes the old text, so its facts are kept.
      facts: ((before ? old : now) ?? emptyFile).facts,
      sum: sumOfFile(Buffer.from(old.text)),
      ...(isCounted ? { lines: countBetween(old.text, now.text) } : {}),
      ...(now ? {} : { content: 'binary' as const }),
    },
    texts: { base: old.text, ...(now ? { proposed: now.text } : {}) },
  }
}

/** Null for what is no text, or isn't kept. */
function textIn(held: Held) {
  if (!isWhole(held)) return null
  return held ? textInBytes(held) : emptyFile
}

function countBetween(before: string, after: string): { added: number; removed: number } {
  const changes = diffLines(linesOf(before), linesOf(after))
  return changes.reduce(
    (sum, { fromA, toA, fromB, toB }) => ({
      added: sum.added + toB - fromB,
      removed: sum.removed + toA - fromA,
    }),
    { added: 0, removed: 0 },
  )
}

function sourceOf({ dialect, session, turn, call }: Origin): NonNullable<KeptReview['source']> {
  return {
    dialect,
    ...(session === undefined ? {} : { session }),
    ...(turn === undefined ? {} : { turn }),
    call,
  }
}

function sidesOf({ machine: { base, proposed } }: Review): NonNullable<KeptReview['sides']> {
  return { before: hashOf(base), proposed: hashOf(proposed) }
}

/** What the file holds now, as far as the review knows; null: nothing was written. */
function wroteBy(review: Review, end: End): KeptReview['wrote'] {
  const bytes = bytesLeft(review, end)
  if (bytes === null) return { hash: null, bytes: 0 }
  if (bytes) return { hash: hashContent(bytes), bytes: bytes.length }
  const { disk, base, proposed, effect } = review.machine
  // What was refused may have been written all the same.
  const isRefused = (end === 'rejected' || end === 'discarded') && disk !== proposed
  if (effect !== 'written' && (isRefused || disk === base)) return null
  return disk === 'unknown' ? undefined : { hash: hashOf(disk) }
}

/** The text an undo would write, and what the file must hold for that (`accepted`; null if it can't be undone). */
function wayBack(
  review: Review,
  content: TextContent,
  end: End,
): Pick<KeptReview, 'accepted' | 'facts' | 'wasAbsent'> & { old: string } {
  const { exact, facts } = content
  const isOnDisk = end === 'confirmed' || end === 'kept'
  // What isn't on disk is reopened as it was proposed.
  const before = {
    facts: isOnDisk || exact ? baseFactsOf(content) : facts,
    old: baseOf(content.draft).toString(),
  }
  // What takes a new file back is that it goes.
  const way = { ...before, ...(review.isNew ? { wasAbsent: true as const } : {}) }
  if (review.machine.effect !== 'written') {
    const { base, disk, effect } = review.machine
    const back = review.isNew ? 'absent' : hashContent(encodeText(way.old, way.facts))
    // If somebody else wrote the file after the decision, an undo would take theirs away, too.
    if (!isOnDisk || back !== base) return { ...way, accepted: null }
    // An agent may have written other line ends, or a part that only it knew.
    const isAgents = effect === 'agent' && end === 'confirmed' && disk !== 'unknown'
    return { ...way, accepted: isAgents ? disk : acceptedContentOf(content).fingerprint }
  }
  const left = end === 'rejected' ? review.machine.base : acceptedContentOf(content).fingerprint
  // If the change was kept as found, undo restores the text from before it; if it was put back, the text that was
  // found.
  if (left === review.machine.proposed) return { ...way, accepted: isOnDisk ? left : null }
  const isDone = isOnDisk || end === 'rejected'
  const found = { facts, old: content.firstProposed.toString(), accepted: isDone ? left : null }
  return exact?.isGone ? { ...found, wasAbsent: true } : found
}

function questionOf(review: Review): NonNullable<KeptReview['question']> {
  const { path, title, effect } = review.proposal
  return { origin: originOf(review), path, title, effect, isNew: review.isNew }
}

function howOf({ machine: { effect, disk, base, proposed } }: Review, end: End): KeptReview['how'] | null {
  switch (end) {
    case 'confirmed':
    case 'diverged':
    case 'unconfirmed':
      return 'accepted'
    case 'rejected':
      return effect === 'written' ? 'put-back' : 'rejected'
    case 'kept':
      return 'kept'
    case 'discarded':
      return 'discarded'
    case 'answered-there':
      // Rejected there, it was no write.
      return disk === proposed && disk !== base ? 'answered-there' : null
    case 'withdrawn':
    case 'replaced':
      return null
    default:
      return unreachable(end)
  }
}
