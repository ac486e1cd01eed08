import { type Result, fail, succeed } from '../../../shared/result'
import { encodeText, restoreText } from '../../../shared/text/text-facts'
import { hashContent } from '../files/content-hash'
import { type DiskFile, readFile } from '../files/read-file'
import { makeAsker } from './askers'
import { type DraftStarter, compare } from './comparison'
import { maxBytes } from './outcome-watch'
import { fingerprintOf } from './fingerprint'
import type { KeptReview } from './journal-format'
import { type Step, beginMachine, startMachine } from './machine'
import type { NewReview } from './new-review'
import { acceptedContentOf } from './review-content'
import { baseFile } from './written-proposal'

/** A rejected change that is still kept. */
export interface Rejected {
  readonly kept: KeptReview
  /** The text it was made from, and the proposal with the person's edits. */
  readonly old: string
  readonly proposed: string
}

const noLonger = fail('gone', 'This change is no longer kept. Ask the agent for it again.')

export const reopenedAlready = fail(
  'gone',
  'This change has been reopened already. It is in the list of reviews.',
)

/**
 * Reopens a rejected change. Its agent has its answer, so it is an orphan: the person can keep it as their own change.
 * Its draft stays on the text it was made from, which the file may no longer hold.
 */
export async function reopened(
  rejected: Rejected | null,
  startElsewhere: DraftStarter | undefined,
): Promise<Result<{ review: NewReview; orders: Step['orders']; disk: DiskFile }>> {
  const question = rejected?.kept.question
  if (!rejected || !question) return noLonger
  const { kept, old, proposed } = rejected
  const { path: realPath, facts } = kept
  const disk = await readFile(realPath, { maxBytes })
  if (!disk.ok) return disk
  const base = baseFile(realPath, question.isNew ? 'absent' : hashContent(encodeText(old, facts)))
  const text = { kind: 'text', text: old, facts } as const
  const { origin, path, title, effect } = question
  const raw = restoreText(proposed, facts)
  const content = await compare(base.kind === 'file' ? { ...base, content: text } : base, raw, startElsewhere)
  const { machine, orders } = beginMachine(
    startMachine(effect, fingerprintOf(base), acceptedContentOf(content).fingerprint, false),
    { kind: 'reopened', disk: fingerprintOf(disk.value) },
  )
  const proposal = { origin, path, title, effect, proposed: raw }
  return succeed({
    review: { proposal, disk: base, content, askers: [makeAsker(origin)], machine },
    orders,
    disk: disk.value,
  })
}
