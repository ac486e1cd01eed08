import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type Draft, applyStep } from '../../../shared/draft'
import type { Origin, Verdict } from '../../../shared/review'
import { stepFromJson } from '../../../shared/step-json'
import { toText } from '../../../shared/text'
import type { ReviewRecord, StoredReview } from './journal'
import { readEntries, readHead } from './journal-format'
import type { Offer } from './review'
import type { WrittenBytes } from './written'

export function headOfBytes({ hash, size, before }: WrittenBytes) {
  return { hash, size, before: before === null ? 'absent' : before === 'unknown' ? before : 'kept' } as const
}

async function readBytes(
  folder: string,
  text: string,
  { sizeBefore, written }: { sizeBefore: number | null; written?: ReturnType<typeof headOfBytes> },
): Promise<ReviewRecord['content']> {
  if (!written) return { kind: 'binary', text, sizeBefore }
  const { hash, size } = written
  const kept = written.before === 'kept' ? await readFile(join(folder, 'before.bin')) : null
  const before = written.before === 'unknown' ? 'unknown' : kept
  return { kind: 'binary', text, sizeBefore, written: { hash, size, before } }
}

/** What the journal holds of a review; null where it is over. Throws where it cannot be read or does not fit. */
export async function readReview(folder: string): Promise<StoredReview | null> {
  const head = await readHead(join(folder, 'head.json'))
  if (head === null) return null
  const { format: _, content, ...rest } = head
  const b = await readFile(join(folder, 'b.txt'), 'utf8')
  let { base, facts, proposed } = rest
  let written = content.kind === 'text' ? content.written : undefined
  const askers: (Origin | null)[] = [rest.origin]
  const stored = {
    steps: 0,
    touched: false,
    verdict: null as Verdict | null,
    accepted: null as string | null,
    offered: null as Offer | null,
  }
  // Older records have none; where the file's text has changed under it, it counts no more.
  let ends = await readFile(join(folder, 'ends.txt'), 'utf8').catch(() => null)
  const a = content.kind === 'text' ? await readFile(join(folder, 'a.txt'), 'utf8') : ''
  let draft: Draft = { a: toText(a), b: toText(b), hunks: content.kind === 'text' ? content.hunks : [] }
  for (const entry of await readEntries(join(folder, 'log.ndjson'))) {
    switch (entry.kind) {
      case 'step': {
        const step = stepFromJson(entry.step)
        const stepped: ReturnType<typeof applyStep> = step ? applyStep(draft, step) : null
        if (!stepped || !step) throw new Error('a journaled step does not fit')
        draft = stepped.draft
        stored.steps++
        if (step.kind === 'rebase' || step.kind === 'renew') ends = null
        if (step.kind !== 'rebase' && step.kind !== 'renew') {
          stored.touched = true
          // Who works on it after a decision has taken that back, for nobody was told of it or could be.
          stored.verdict = null
          stored.accepted = null
        }
        break
      }
      case 'joined':
        askers.push(entry.origin)
        break
      case 'left':
        askers[entry.asker] = null
        break
      case 'base':
        base = entry.base
        facts = entry.facts
        break
      case 'renewed':
        ;({ base, facts, proposed, written } = entry)
        break
      case 'decided':
        stored.accepted = entry.accepted
        stored.verdict = entry.verdict === 'accepted' ? { kind: 'accepted', text: '' } : { kind: 'rejected' }
        break
      case 'offered':
        stored.offered = entry.offer && {
          proposed: toText(entry.offer.proposed),
          result: toText(entry.offer.result),
        }
        break
      case 'delivered':
        break
    }
  }
  const record: ReviewRecord = {
    ...rest,
    base,
    facts,
    proposed,
    content:
      content.kind === 'binary'
        ? await readBytes(folder, b, content)
        : {
            kind: 'text',
            draft,
            lineEnds: ends === null ? null : { text: ends },
            ...(written ? { written } : {}),
          },
  }
  return { record, askers: askers.filter((asker) => asker !== null), ...stored }
}
