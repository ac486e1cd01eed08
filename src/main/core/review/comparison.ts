import { type Draft, startDraft, undecideAll } from '../../../shared/review/draft'
import type { Proposal } from '../../../shared/review/proposal'
import {
  type FactualText,
  type TextFacts,
  adoptLineEnds,
  parseText,
  restoreText,
  toText,
} from '../../../shared/text/text-facts'
import type { DiskFile } from '../files/read-file'
import type { ReviewRecord, StoredReview } from './stored-review'
import { fingerprintOf } from './fingerprint'
import { type ReviewContent, type TextContent, resultOf } from './review-content'

/** Computes the draft of two long texts elsewhere than on the main thread. */
export type DraftStarter = (base: string, proposed: string) => Promise<Draft>

/** Texts that together are longer than this, in UTF-16 units, are compared off the main thread. */
const longText = 256 * 1024

/** A file that is not there, as the base of a proposal. */
export const emptyFile: FactualText = {
  text: '',
  facts: { encoding: 'utf-8', bom: false, eol: 'lf' },
}

/** A text under review at its beginning. */
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

/** Of a text that nobody has worked on. */
export const noSteps: Pick<TextContent, 'version' | 'clients' | 'latest'> = {
  version: 0,
  clients: new Map(),
  latest: [],
}

/** The text of what a path holds, empty where nothing is; null when it is no text. */
export function textOf(disk: DiskFile): FactualText | null {
  if (disk.kind === 'absent') return emptyFile
  return disk.content.kind === 'text' ? disk.content : null
}

/**
 * Sets a proposal against the file as it is. The proposal is brought into the file's terms, so that an agent that
 * does not keep line ends changes no line by that; where line ends are all that differs, they are what is proposed.
 */
export async function compare(
  disk: DiskFile,
  proposed: string,
  startElsewhere: DraftStarter | undefined,
): Promise<ReviewContent> {
  const base = textOf(disk)
  if (base === null || proposed.includes('\0')) {
    return { kind: 'binary', text: proposed, sizeBefore: disk.kind === 'file' ? disk.size : null }
  }
  const own = parseText(proposed)
  const wanted = disk.kind === 'absent' ? own : adoptLineEnds(base, proposed)
  const lineEndsOnly = wanted.text === base.text && proposed !== restoreText(base.text, base.facts)
  const content = await beginText(base.text, wanted.text, wanted.facts, startElsewhere)
  return lineEndsOnly && disk.kind === 'file' ? { ...content, lineEnds: { text: proposed } } : content
}

/** The content of a review found in the journal. */
export function storedContent({
  record: { content, facts },
  steps,
  firstProposed,
}: StoredReview): ReviewContent {
  if (content.kind === 'binary') return content
  const { draft, lineEnds, written } = content
  return {
    kind: 'text',
    draft,
    facts,
    ...noSteps,
    version: steps,
    // What of a written change was on disk last: what the draft would be without its decisions.
    firstProposed: written ? undecideAll(draft).b : firstProposed,
    lineEnds,
    ...(written ? { written } : {}),
  }
}

/** What the journal keeps of a review from its beginning. */
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
    proposed: resultOf(content).fingerprint,
    facts: content.kind === 'text' ? content.facts : emptyFile.facts,
    content,
  }
}
