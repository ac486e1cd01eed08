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

/**
 * Compares a proposal with the file as it is. The proposal takes on the file's line endings and encoding, so an agent
 * that doesn't keep them changes no lines that way; if only the line endings differ, they are the proposal.
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
    // What the disk last held of a written change: the draft without its decisions.
    firstProposed: written ? undecideAll(draft).b : firstProposed,
    lineEnds,
    ...(written ? { written } : {}),
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
    proposed: resultOf(content).fingerprint,
    facts: content.kind === 'text' ? content.facts : emptyFile.facts,
    content,
  }
}
