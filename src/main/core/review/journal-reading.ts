import { type Dirent } from 'node:fs'
import { readFile, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { type Draft, applyStep } from '../../../shared/review/draft'
import type { Origin, Verdict } from '../../../shared/review/proposal'
import { stepFromJson } from '../../../shared/review/step-json'
import { toText } from '../../../shared/text/text-facts'
import { systemCode } from '../files/file-failure'
import { readFile as readDiskFile } from '../files/read-file'
import { textOf } from './comparison'
import { maxBytes } from './outcome-watch'
import type { ReviewRecord, StoredReview } from './stored-review'
import { type Head, type LogMark, type LoggedEntry, readHead, readLog, sumOfFile } from './journal-format'
import type { WrittenBytes } from './review-content'

export const headFile = 'head.json'
export const logFile = 'log.ndjson'

/** A review as read from its folder. */
export interface ReadReview {
  readonly kind: 'review'
  readonly review: StoredReview
  /** The text of the head's file; empty in format 1, whose file stays as it is. */
  readonly head: string
  /** The undamaged part of the log, and where to continue it. */
  readonly log: Buffer
  readonly mark: LogMark
  /** The head or the log on disk differs from these. */
  readonly isDamaged: boolean
  /** Something noted is damaged or cut off. */
  readonly isCut: boolean
}

/** `over`: nothing in the folder matters any more. `unreadable`: too damaged; `path` is its file's, if known. */
export type JournalReading =
  | ReadReview
  | { readonly kind: 'over' }
  | { readonly kind: 'unreadable'; readonly path: string | null }

export function headOfBytes({ hash, size, before }: WrittenBytes) {
  return { hash, size, before: before === null ? 'absent' : before === 'unknown' ? before : 'kept' } as const
}

/** The proposal of a review as it first came, in UTF-8. */
export function readProposed(folder: string): Promise<Buffer> {
  return readFile(join(folder, 'b.txt'))
}

/** Reads a review's folder up to the first damage. Throws if the system refuses to read it. */
export async function readReview(folder: string): Promise<JournalReading> {
  const found = (await contentOf(join(folder, logFile))) ?? Buffer.alloc(0)
  const own = await contentOf(join(folder, headFile))
  const ownHead = own && readHead(own.toString())
  const head = ownHead ?? readHead(found.toString())
  if (!head || (head.line === '' && !ownHead)) {
    // In format 1 the head was written last and removed first: a folder without one isn't a review.
    const isOver = own === null && (found.length === 0 || found[0] === legacyLine)
    return isOver ? { kind: 'over' } : { kind: 'unreadable', path: null }
  }
  const files = await readFiles(folder, head.head)
  if (!files) return { kind: 'unreadable', path: head.head.path }
  const line = Buffer.from(head.line)
  const entries = readLog(found, { size: line.length, sum: head.sum })
  const { review, mark } = replay(head.head, files, entries, { size: line.length, sum: head.sum })
  const log = Buffer.concat([line, found.subarray(line.length, mark.size)])
  const isCut = log.length !== found.length
  const isDamaged = isCut || !log.equals(found) || !ownHead
  return { kind: 'review', review, head: head.line, log, mark, isDamaged, isCut }
}

const legacyLine = '{'.charCodeAt(0)

interface Files {
  a: string
  b: string
  ends: string | null
  before: Buffer | null
}

/** The texts next to the head; null if a required one is damaged. */
async function readFiles(folder: string, head: Head): Promise<Files | null> {
  const { content, realPath } = head
  const read = async (name: string, isText: boolean): Promise<Buffer | null> => {
    const bytes = await contentOf(join(folder, name))
    const isWhole = (found: Uint8Array) => head.sums === undefined || sumOfFile(found) === head.sums[name]
    if (bytes && isWhole(bytes)) return bytes
    if (!isText || head.sums === undefined) return null
    // The reviewed file may still hold the same text.
    const disk = await readDiskFile(realPath, { maxBytes })
    const text = disk.ok ? textOf(disk.value) : null
    const found = text && Buffer.from(text.text)
    return found && isWhole(found) ? found : null
  }
  const isText = content.kind === 'text'
  const a = isText ? await read('a.txt', true) : Buffer.alloc(0)
  const b = await read('b.txt', isText)
  if (!a || !b) return null
  const hasEnds = isText && (head.sums === undefined || 'ends.txt' in head.sums)
  const hasBefore = content.kind === 'binary' && content.written?.before === 'kept'
  const before = hasBefore ? await read('before.bin', false) : null
  if (hasBefore && !before) return null
  const ends = hasEnds ? await read('ends.txt', false) : null
  return { a: a.toString(), b: b.toString(), ends: ends && ends.toString(), before }
}

/** Replays the log's entries on the head, as long as they fit. */
function replay(
  head: Head,
  files: Files,
  entries: readonly LoggedEntry[],
  begin: LogMark,
): { review: StoredReview; mark: LogMark } {
  const { format: _, sums: __, content, ...rest } = head
  let { base, facts, proposed } = rest
  let exact = content.kind === 'text' ? content.written : undefined
  let baseFacts = content.kind === 'text' ? content.baseFacts : undefined
  const askers: (Origin | null)[] = [rest.origin]
  const stored: Omit<StoredReview, 'record' | 'askers'> = {
    firstProposed: toText(files.b),
    steps: 0,
    touched: false,
    verdict: null as Verdict | null,
    accepted: null,
    offered: null,
    comments: [],
    damage: null,
  }
  // Proposed line endings no longer apply once the file's text has changed.
  let { ends } = files
  let draft: Draft = {
    a: toText(files.a),
    b: toText(files.b),
    hunks: content.kind === 'text' ? content.hunks : [],
  }
  let mark = begin
  for (const { entry, mark: after } of entries) {
    if (entry.kind === 'step') {
      const step = stepFromJson(entry.step)
      const stepped: ReturnType<typeof applyStep> = step ? applyStep(draft, step) : null
      if (!stepped || !step) break
      draft = stepped.draft
      stored.steps++
      if (step.kind === 'rebase' || step.kind === 'renew') ends = null
      else {
        stored.touched = true
        // Work after a decision takes the decision back: nobody was told of it.
        stored.verdict = null
        stored.accepted = null
      }
    } else if (entry.kind === 'joined') askers.push(entry.origin)
    else if (entry.kind === 'left') askers[entry.asker] = null
    else if (entry.kind === 'base') {
      ;({ base, facts } = entry)
      baseFacts = undefined
      if (exact) exact = { ...exact, baseFacts: facts }
    } else if (entry.kind === 'renewed') ({ base, facts, proposed, written: exact } = entry)
    else if (entry.kind === 'decided') {
      stored.accepted = entry.accepted
      stored.verdict = entry.verdict === 'accepted' ? { kind: 'accepted', text: '' } : { kind: 'rejected' }
    } else if (entry.kind === 'offered') {
      const { offer } = entry
      stored.offered = offer && { proposed: toText(offer.proposed), result: toText(offer.result) }
    } else if (entry.kind === 'comments') {
      stored.comments = entry.comments
      stored.touched = true
    }
    mark = after
  }
  const record: ReviewRecord = {
    ...rest,
    base,
    facts,
    proposed,
    content:
      content.kind === 'binary'
        ? bytesOf(content, files)
        : {
            kind: 'text',
            draft,
            lineEnds: ends === null ? null : { text: ends },
            ...(exact ? { exact } : {}),
            ...(baseFacts ? { baseFacts } : {}),
          },
  }
  return { review: { record, askers: askers.filter((asker) => asker !== null), ...stored }, mark }
}

function bytesOf(
  { sizeBefore, written }: Extract<Head['content'], { kind: 'binary' }>,
  { b, before }: Files,
): ReviewRecord['content'] {
  if (!written) return { kind: 'binary', text: b, sizeBefore }
  const { hash, size } = written
  const old = written.before === 'unknown' ? 'unknown' : before
  return { kind: 'binary', text: b, sizeBefore, written: { hash, size, before: old } }
}

async function contentOf(path: string): Promise<Buffer | null> {
  try {
    return await readFile(path)
  } catch (error) {
    if (['ENOENT', 'ENOTDIR', 'EISDIR'].includes(systemCode(error))) return null
    throw error
  }
}

/** Names of the folders in a folder; none if it can't be read. */
export async function listFolders(path: string): Promise<string[]> {
  const entries: Dirent[] = await readdir(path, { withFileTypes: true }).catch(() => [])
  return entries.filter((entry) => entry.isDirectory()).map((entry) => entry.name)
}
