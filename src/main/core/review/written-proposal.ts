import { baseOf } from '../../../shared/review/draft'
import type { Origin, Proposal } from '../../../shared/review/proposal'
import { encodeText } from '../../../shared/text/text-facts'
import type { DiskFile } from '../files/read-file'
import { type DraftStarter, beginExactText, emptyFile, noSteps, textInBytes } from './comparison'
import type { Fingerprint } from './fingerprint'
import type { End } from './machine'
import { type Held, isWhole, sumOf } from './record/receipts'
import type { Review } from './review'
import {
  type ExactText,
  type ReviewContent,
  type WrittenBytes,
  baseFactsOf,
  acceptedContentOf,
} from './review-content'

/** A change that was on disk before anyone was asked. */
export interface WrittenProposal {
  origin: Origin
  /** Real path. */
  path: string
  title: string
  /** Null: there was no file. What isn't whole, or `unknown`, can't be put back. */
  before: Held | 'unknown'
  /** Null: the file is gone. A file too large to show is known by its hash. */
  after: Held
}

/** A written change for the desk: its base as if it were on disk, and the draft that leads from there to the disk. */
export async function describeWritten(
  change: WrittenProposal,
  startElsewhere: DraftStarter | undefined,
): Promise<{ proposal: Proposal; base: DiskFile; content: ReviewContent }> {
  const { origin, path, title } = change
  const proposal: Proposal = { origin, path, title, proposed: '', effect: 'written' }
  return {
    proposal,
    base: baseFile(path, fingerprintBefore(change)),
    content: await contentOf(change, startElsewhere),
  }
}

function fingerprintBefore({ before }: WrittenProposal): Fingerprint {
  return before === null ? 'absent' : before === 'unknown' ? before : sumOf(before).hash
}

/** The file from before, without its text. */
export function baseFile(realPath: string, hash: Fingerprint): DiskFile {
  if (hash === 'absent') return { kind: 'absent', realPath }
  const content = { kind: 'binary', size: 0 } as const
  return { kind: 'file', realPath, hash, size: 0, content, readOnly: false }
}

async function contentOf(
  { before, after }: WrittenProposal,
  startElsewhere: DraftStarter | undefined,
): Promise<ReviewContent> {
  const base = before === null ? emptyFile : before instanceof Uint8Array ? textInBytes(before) : null
  const now = after === null ? emptyFile : after instanceof Uint8Array ? textInBytes(after) : null
  if (base === null || now === null) return { kind: 'binary', text: '', ...bytesOf(before, after) }
  return beginExactText(before === null ? null : base, after === null ? null : now, startElsewhere)
}

function bytesOf(
  before: WrittenProposal['before'],
  after: WrittenProposal['after'],
): { sizeBefore: number | null; written: WrittenBytes } {
  const { hash, size } = after === null ? { hash: 'absent', size: null } : sumOf(after)
  const sizeBefore = before === null || before === 'unknown' ? null : sumOf(before).size
  const kept = before !== 'unknown' && isWhole(before) ? before : 'unknown'
  return { sizeBefore, written: { hash, size, before: kept } }
}

/** A proposal that was written against the person's decisions, which its draft still holds. */
export function writtenAgain<C extends Extract<ReviewContent, { kind: 'text' }>>(
  { proposal }: Pick<Review, 'proposal'>,
  content: C,
): { proposal: Proposal; content: C & { exact: ExactText } } {
  const exact = { baseFacts: baseFactsOf(content), isGone: false }
  return {
    proposal: { ...proposal, effect: 'written' },
    content: { ...content, ...noSteps, exact },
  }
}

/** The bytes from before, empty if there was no file; `unknown` if nobody knows them. */
export function bytesBefore(content: ReviewContent): Uint8Array | 'unknown' {
  if (content.kind === 'binary')
    return content.written ? (content.written.before ?? new Uint8Array()) : 'unknown'
  return encodeText(baseOf(content.draft).toString(), baseFactsOf(content))
}

/** The file's bytes when the review ended, null for no file; undefined if only the disk can tell. */
export function bytesLeft(review: Review, end: End): Uint8Array | null | undefined {
  const { content, machine, seen } = review
  if (end === 'rejected' && machine.effect === 'written') {
    const before = bytesBefore(content)
    return machine.base === 'absent' ? null : before === 'unknown' ? undefined : before
  }
  if (content.kind !== 'text' || (end !== 'confirmed' && end !== 'kept')) return undefined
  const { fingerprint, bytes } = acceptedContentOf(content)
  const isCertain = machine.effect === 'written' || end === 'kept' || seen === fingerprint
  return isCertain ? (fingerprint === 'absent' ? null : bytes) : undefined
}

/** The content after the file was written again and is, or was, not text: from now on it is decided whole. */
export function bytesAgain(content: ReviewContent, disk: DiskFile): ReviewContent {
  const before = content.kind === 'binary' ? (content.written?.before ?? null) : bytesBefore(content)
  const hash = disk.kind === 'absent' ? 'absent' : disk.hash
  const size = disk.kind === 'absent' ? null : disk.size
  const sizeBefore = before instanceof Uint8Array ? before.length : null
  return { kind: 'binary', text: '', sizeBefore, written: { hash, size, before } }
}
