import type { Text } from '@codemirror/state'
import { type Draft, type DraftStep, undecideAll } from '../../../shared/review/draft'
import type { Effect, Proposal } from '../../../shared/review/proposal'
import { type TextFacts, encodeText, parseText, restoreText } from '../../../shared/text/text-facts'
import { hashContent } from '../files/content-hash'
import type { DiskFile } from '../files/read-file'

/** A text under review, or bytes that can only be decided whole. */
export type ReviewContent =
  | TextContent
  | { kind: 'binary'; text: string; sizeBefore: number | null; written?: WrittenBytes }

export interface TextContent {
  kind: 'text'
  draft: Draft
  /** Of the file that will be written. */
  facts: TextFacts
  /** Of the base, where they differ and `exact` doesn't say it. */
  baseFacts?: TextFacts
  version: number
  /** How many of them each page has sent; see shared/review/client-steps. */
  clients: ReadonlyMap<string, number>
  /** The latest steps, oldest first; only some are remembered. */
  latest: readonly TakenSteps[]
  /** The proposal as it first came, to tell the person's edits apart. */
  firstProposed: Text
  /** Set if the proposal differs from the file only in line endings: then its exact text is accepted. */
  lineEnds: { text: string } | null
  /**
   * Set if both sides are known to the byte: the change is already on disk, and then `firstProposed` is what the disk
   * last held; or the file is to be put back.
   */
  exact?: ExactText
}

/** Steps taken together, and the draft before them. */
export interface TakenSteps {
  readonly version: number
  readonly client: string
  readonly before: Draft
  readonly steps: readonly DraftStep[]
}

/** What a draft whose sides are known to the byte doesn't hold itself. */
export interface ExactText {
  /** Of the base; `facts` are those of the result. */
  baseFacts: TextFacts
  /** The proposal is no file, so an empty result means none. */
  isGone: boolean
}

/** Bytes that are kept or put back whole. */
export interface WrittenBytes {
  /** Of what the file holds now. */
  hash: string
  size: number | null
  before: Uint8Array | null | 'unknown'
}

/** What the person made of a proposal, offered to the one that replaces it. */
export interface Offer {
  proposed: Text
  result: Text
}

/** The facts of the text from before. */
export function baseFactsOf({ exact, baseFacts, facts }: TextContent): TextFacts {
  return exact?.baseFacts ?? baseFacts ?? facts
}

/** Whether the person left nothing of what is proposed. */
function isAsBefore({ draft, firstProposed }: TextContent): boolean {
  return draft.hunks.every(({ decision }) => decision.kind === 'rejected') && !draft.b.eq(firstProposed)
}

/** What the file should hold if the person accepts now: the text for the agent, the bytes and their fingerprint. */
export function acceptedContentOf(content: ReviewContent): {
  text: string
  bytes: Uint8Array
  fingerprint: string
} {
  if (content.kind === 'binary') {
    // Already on disk: keeping it writes nothing.
    if (content.written) return { text: '', bytes: new Uint8Array(), fingerprint: content.written.hash }
    const bytes = Buffer.from(content.text, 'utf8')
    return { text: content.text, bytes, fingerprint: hashContent(bytes) }
  }
  const plain = content.draft.b.toString()
  if (content.exact?.isGone && plain === '') {
    return { text: '', bytes: new Uint8Array(), fingerprint: 'absent' }
  }
  if (content.lineEnds && content.draft.hunks.length === 0) {
    const { encoding } = content.facts
    const own = parseText(content.lineEnds.text)
    // In UTF-16 the byte order mark tells the encoding.
    const bom = own.facts.bom || encoding !== 'utf-8'
    const bytes = encodeText(own.text, { ...own.facts, encoding, bom })
    return { text: content.lineEnds.text, bytes, fingerprint: hashContent(bytes) }
  }
  // Line ends and byte order mark are part of what is proposed.
  const facts = isAsBefore(content) ? baseFactsOf(content) : content.facts
  const bytes = encodeText(plain, facts)
  return { text: restoreText(plain, facts), bytes, fingerprint: hashContent(bytes) }
}

/**
 * Whether a file holds what the agent should write after acceptance, ignoring line endings and, by `holds`, what the agent
 * makes up itself.
 */
export function holdsAwaited(
  content: ReviewContent,
  effect: Effect,
  disk: DiskFile,
  holds?: Proposal['holds'],
): boolean {
  if (content.kind !== 'text' || disk.kind !== 'file' || disk.content.kind !== 'text') return false
  const plain = (text: string) => text.replaceAll('\r\n', '\n')
  const found = plain(disk.content.text)
  const { draft, firstProposed } = content
  // If the file has changed since, an agent may write its proposal as it came, or carried over.
  const awaited = effect === 'agent-then-host' ? [draft.b, firstProposed, undecideAll(draft).b] : [draft.b]
  if (awaited.some((text) => plain(text.toString()) === found)) return true
  return holds?.(restoreText(disk.content.text, disk.content.facts), acceptedContentOf(content).text) === true
}
