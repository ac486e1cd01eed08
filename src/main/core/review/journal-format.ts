import { crc32 } from 'node:zlib'
import { z } from 'zod'
import { textFacts } from '../../../shared/contract/define'
import { decidedHow, draftStep, hunkState, reviewComment } from '../../../shared/contract/review'
import { parseJson } from '../../../shared/json'
import { readCheckedLine } from '../files/checked-line'

const originSchema = z.object({
  dialect: z.string(),
  connection: z.string(),
  agent: z.string(),
  pid: z.number().int().exactOptional(),
  session: z.string().exactOptional(),
  turn: z.string().exactOptional(),
  call: z.string(),
  command: z.string().exactOptional(),
})

/** What the draft doesn't hold of a text whose sides are known to the byte; called `written` in the files. */
const exactTextSchema = z.object({ baseFacts: textFacts, isGone: z.boolean() })

/**
 * A review at its beginning, without its texts. Since format 2 it is stored twice, in `head.json` and as the first line
 * of the log, each with a checksum.
 */
const headSchema = z.object({
  format: z.union([z.literal(1), z.literal(2)]),
  id: z.string(),
  askedAt: z.number(),
  origin: originSchema,
  path: z.string(),
  realPath: z.string(),
  title: z.string(),
  effect: z.enum(['agent', 'host', 'agent-then-host', 'written']),
  base: z.string(),
  proposed: z.string(),
  facts: textFacts,
  content: z.discriminatedUnion('kind', [
    z.object({
      kind: z.literal('text'),
      hunks: z.array(hunkState),
      written: exactTextSchema.exactOptional(),
      baseFacts: textFacts.exactOptional(),
    }),
    z.object({
      kind: z.literal('binary'),
      sizeBefore: z.number().nullable(),
      written: z
        .object({
          hash: z.string(),
          size: z.number().nullable(),
          /** `kept`: in a file next to the head. */
          before: z.enum(['kept', 'absent', 'unknown']),
        })
        .exactOptional(),
    }),
  ]),
  /** Checksums of the files next to it, by name; since format 2. */
  sums: z.record(z.string(), z.number()).exactOptional(),
})
export type Head = z.infer<typeof headSchema>

const entrySchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('step'), step: draftStep }),
  /** Another asker; the one in the head is number 0. */
  z.object({ kind: z.literal('joined'), origin: originSchema }),
  z.object({ kind: z.literal('left'), asker: z.number().int() }),
  z.object({ kind: z.literal('base'), base: z.string(), facts: textFacts }),
  /** A written file was written again. The `renew` step before it says how its texts changed. */
  z.object({
    kind: z.literal('renewed'),
    base: z.string(),
    proposed: z.string(),
    facts: textFacts,
    written: exactTextSchema,
  }),
  z.object({
    kind: z.literal('decided'),
    verdict: z.enum(['accepted', 'rejected']),
    accepted: z.string().nullable(),
  }),
  z.object({ kind: z.literal('delivered') }),
  /** The person's edits to the proposal that this one replaced, and that proposal; null once they are applied. */
  z.object({
    kind: z.literal('offered'),
    offer: z.object({ proposed: z.string(), result: z.string() }).nullable(),
  }),
  /** All of the person's comments. Written only once there is one: an older app reads no further. */
  z.object({ kind: z.literal('comments'), comments: z.array(reviewComment) }),
])
const questionSchema = z.object({
  origin: originSchema,
  path: z.string(),
  title: z.string(),
  effect: z.enum(['agent', 'host', 'agent-then-host', 'written']),
  isNew: z.boolean(),
})

const sourceSchema = z.object({
  dialect: z.string(),
  call: z.string(),
  session: z.string().exactOptional(),
  /** The prompt that the turn began with. */
  turn: z.string().exactOptional(),
})
const decidedBySchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('person') }),
  z.object({ kind: z.literal('rule'), pattern: z.string() }),
  z.object({ kind: z.literal('mode'), mode: z.string() }),
])

/** Of what a file held; null: no file. */
const hash = z.string().nullable()

/** A review that is over. What version 0.1.0 kept has nothing from `source` on. */
export const keptSchema = z.object({
  id: z.string(),
  path: z.string(),
  agent: z.string(),
  decidedAt: z.number(),
  how: decidedHow,
  /** What the file must hold so that the old text can be put back; null if it can't be. */
  accepted: z.string().nullable(),
  /** There was no file, so undo removes it. */
  wasAbsent: z.literal(true).exactOptional(),
  facts: textFacts,
  /** Of a rejected proposal: what was asked, so that it can be reopened. Its text is kept with the person's edits. */
  question: questionSchema.exactOptional(),
  /** Checksum of the old text. */
  sum: z.number().exactOptional(),
  /** Where it came from; absent in what earlier versions kept. */
  source: sourceSchema.exactOptional(),
  /** Who decided; absent in what earlier versions kept, where it was the person. */
  by: decidedBySchema.exactOptional(),
  /** What the file held before, how many bytes if that is known, and what the agent would have it hold. */
  sides: z.object({ before: hash, proposed: hash, bytesBefore: z.number().exactOptional() }).exactOptional(),
  /** What the file held afterwards; without `bytes` if only its hash is known. Null: nothing was written. */
  wrote: z.object({ hash, bytes: z.number().exactOptional() }).nullable().exactOptional(),
  /** Lines of the result, without rejected changes. */
  lines: z.object({ added: z.number(), removed: z.number() }).exactOptional(),
  /** No texts can be compared: they are none, or too long. What an undo writes may be kept. */
  content: z.literal('binary').exactOptional(),
  /** What the person said of its lines, told with the decision. */
  comments: z.array(reviewComment).exactOptional(),
  /** When the person took the decision back: put the file back, or reopened the change. */
  takenBack: z.number().exactOptional(),
})
/** A decided review that is still kept. */
export type KeptReview = z.infer<typeof keptSchema>

export type Entry = z.infer<typeof entrySchema>

/** The checksum that a head keeps of a file next to it. */
export function sumOfFile(bytes: Uint8Array): number {
  return crc32(bytes)
}

/** A head, and its line at the beginning of the log; an empty line in format 1. */
export interface HeadLine {
  readonly head: Head
  readonly line: string
  readonly sum: string
}

/** The head at the beginning of a file; null if it is damaged. Format 1 had no checksum. */
export function readHead(text: string): HeadLine | null {
  if (text.startsWith('{')) {
    const head = parse(headSchema, text)
    return head && { head, line: '', sum: '' }
  }
  const end = text.indexOf('\n')
  const checked = end < 0 ? null : readCheckedLine(text.slice(0, end))
  const head = checked && parse(headSchema, checked.json)
  return head && { head, line: text.slice(0, end + 1), sum: checked.sum }
}

/** A place in a log after a whole line: its offset in bytes, and the checksum that the next line continues. */
export interface LogMark {
  readonly size: number
  readonly sum: string
}

/** One entry of a log, and where it ends. */
export interface LoggedEntry {
  readonly entry: Entry
  readonly mark: LogMark
}

/** The whole entries of a log from a place on, up to the first that is damaged or cut off by a crash. */
export function readLog(bytes: Buffer, begin: LogMark): LoggedEntry[] {
  const entries: LoggedEntry[] = []
  let { sum, size: from } = begin
  for (let to = bytes.indexOf(10, from); to >= 0; to = bytes.indexOf(10, from)) {
    const line = bytes.toString('utf8', from, to)
    // Lines of format 1 have no checksum, and never follow a line that has one.
    const checked = line.startsWith('{') && sum === '' ? { json: line, sum } : readCheckedLine(line, sum)
    const entry = checked && parse(entrySchema, checked.json)
    if (!entry) break
    sum = checked.sum
    from = to + 1
    entries.push({ entry, mark: { size: from, sum } })
  }
  return entries
}

function parse<T>(schema: z.ZodType<T>, json: string): T | null {
  return schema.safeParse(parseJson(json)).data ?? null
}
