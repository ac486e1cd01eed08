import { type Draft, startDraft, undecideAll } from '../../../shared/review/draft'
import type { Proposal } from '../../../shared/review/proposal'
import {
  type FactualText,
  type TextFacts,
  adoptLineEnds,
  decodeText,
  parseText,
  restoreText,
  toText,
} from '../../../shared/text/text-facts'
import type { DiskFile } from '../files/read-file'
import type { ReviewRecord, StoredReview } from './stored-review'
import { fingerprintOf } from './fingerprint'
import { type ReviewContent, type TextContent, acceptedContentOf } from './review-content'

/** Makes the draft of two long texts off the main thread. */
export type DraftStarter = (base: string, proposed: string) => Promise<Draft>

/** In UTF-16 units: two texts that are longer than this together are compared off the main thread. */
const longText = 256 * 1024

/** The base of a proposal whose file doesn't exist. */
export const emptyFile: FactualText = {
  text: '',
  facts: { encoding: 'utf-8', bom: false, eol: 'lf' },
}

/** The content of a new review of a text. */
export async function beginText(
  base: string,
  proposed: string,
  facts: TextFacts,
  startElsewhere: DraftStarter | undefined,
): Promise<TextContent> {
  const draft =
    base.length + proposed.length > longText && startElsewhere
      ? await startElsewhere(base, proposed)
      : startDraft(toText(base), toText(proposed))
  return { kind: 'text', draft, facts, ...noSteps, firstProposed: draft.b, lineEnds: null }
}

/** The state of a text that nobody has worked on. */
export const noSteps: Pick<TextContent, 'version' | 'clients' | 'latest'> = {
  version: 0,
  clients: new Map(),
  latest: [],
}

/** A file's text, empty if there is no file; null for a binary file. */
export function textOf(disk: DiskFile): FactualText | null {
  if (disk.kind === 'absent') return emptyFile
  return disk.content.kind === 'text' ? disk.content : null
}

/** The same for two texts that are known to the byte; null: no file. Each can still be written exactly as it is. */
export async function beginExactText(
  before: FactualText | null,
  after: FactualText | null,
  startElsewhere: DraftStarter | undefined,
): Promise<TextContent> {
  const facts = (after ?? before ?? emptyFile).facts
  const terms = inOneTerm(before ?? { text: '', facts }, after ?? { text: '', facts })
  const { text, facts: own } = terms.now
  const isSameText = terms.base.text === text && before !== null && after !== null
  return {
    ...(await beginText(terms.base.text, text, own, startElsewhere)),
    lineEnds: isSameText && own.encoding === 'utf-8' ? { text: restoreText(text, own) } : null,
    exact: { baseFacts: terms.base.facts, isGone: after === null },
  }
}

/**
 * Makes equal lines of two texts of one file equal. If only one has mixed line endings, the endings become part of the
 * lines in both; each text can still be written exactly as it was.
 */
export function inOneTerm(base: FactualText, now: FactualText): { base: FactualText; now: FactualText } {
  const isMixed = base.facts.eol === 'mixed' || now.facts.eol === 'mixed'
  return isMixed && base.facts.eol !== now.facts.eol
    ? { base: asMixed(base), now: asMixed(now) }
    : { base, now }
}

/** The same text with each line's ending as part of the line. */
export function asMixed({ text, facts }: FactualText): FactualText {
  return {
    text: restoreText(text, { ...facts, bom: false }),
    facts: { ...facts, eol: 'mixed' },
  }
}

/** The text in a file's bytes; null if they are none. */
export function textInBytes(bytes: Uint8Array): FactualText | null {
  const decoded = decodeText(bytes)
  return decoded.kind === 'text' ? { text: decoded.text, facts: decoded.facts } : null
}

/**
 * Compares a proposal with the file as it is. The proposal takes on the file's line endings and encoding, so an agent
 * that doesn't keep them changes no lines that way; if only the line endings differ, they are the proposal. What a file
 * is put back to stays as it is.
 */
export async function compare(
  disk: DiskFile,
  proposed: Proposal['proposed'],
  startElsewhere: DraftStarter | undefined,
): Promise<ReviewContent> {
  const base = textOf(disk)
  if (typeof proposed !== 'string') {
    const after = proposed && textInBytes(proposed)
    if (base === null || (proposed && !after)) return { kind: 'binary', text: '', sizeBefore: null }
    return beginExactText(disk.kind === 'absent' ? null : base, after, startElsewhere)
  }
  if (base === null || proposed.includes('\0')) {
    return { kind: 'binary', text: proposed, sizeBefore: disk.kind === 'file' ? disk.size : null }
  }
  const own = parseText(proposed)
  const wanted = disk.kind === 'absent' ? own : adoptLineEnds(base, proposed)
  const lineEndsOnly = wanted.text === base.text && proposed !== restoreText(base.text, base.facts)
  const begun = await beginText(base.text, wanted.text, wanted.facts, startElsewhere)
  const isMarked = disk.kind === 'file' && wanted.facts.bom !== base.facts.bom
  const content = isMarked ? { ...begun, baseFacts: base.facts } : begun
  return lineEndsOnly && disk.kind === 'file' ? { ...content, lineEnds: { text: proposed } } : content
}

export function storedContent({
  record: { content, facts, effect },
  steps,
  firstProposed,
}: StoredReview): ReviewContent {
  if (content.kind === 'binary') return content
  const { draft, lineEnds, exact, baseFacts } = content
  return {
    kind: 'text',
    draft,
    facts,
    ...noSteps,
    version: steps,
    // What the disk last held of a written change: the draft without its decisions.
    firstProposed: effect === 'written' ? undecideAll(draft).b : firstProposed,
    lineEnds,
    ...(exact ? { exact } : {}),
    ...(baseFacts ? { baseFacts } : {}),
  }
}

/** The journal's record of a new review. */
export function recordOf(
  id: string,
  proposal: Proposal,
  disk: DiskFile,
  content: ReviewContent,
): ReviewRecord {
  const { origin, path, title, effect } = proposal
  return {
    id,
    askedAt: Date.now(),
    origin,
    path,
    realPath: disk.realPath,
    title,
    effect,
    base: fingerprintOf(disk),
    proposed: acceptedContentOf(content).fingerprint,
    facts: content.kind === 'text' ? content.facts : emptyFile.facts,
    content,
  }
}
