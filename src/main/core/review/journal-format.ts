import { readFile, truncate } from 'node:fs/promises'
import { z } from 'zod'
import { draftStep, hunkState } from '../../../shared/contract/review'

/** A text's facts as they are kept. */
export const factsSchema = z.object({
  encoding: z.enum(['utf-8', 'utf-16le', 'utf-16be', 'latin-1']),
  bom: z.boolean(),
  eol: z.enum(['lf', 'crlf', 'cr', 'mixed']),
  finalNewline: z.boolean(),
})

const originSchema = z.object({
  dialect: z.enum(['claude-ide', 'gemini-companion', 'claude-sdk', 'acp', 'watcher', 'sample', 'search']),
  connection: z.string(),
  agent: z.string(),
  pid: z.number().int().exactOptional(),
  session: z.string().exactOptional(),
  call: z.string(),
})

/** What of a written text is not in its draft. */
const writtenTextSchema = z.object({ baseFacts: factsSchema, isGone: z.boolean() })

/** What is known of a review when it begins, but for its texts. */
export const headSchema = z.object({
  format: z.literal(1),
  id: z.string(),
  askedAt: z.number(),
  origin: originSchema,
  path: z.string(),
  realPath: z.string(),
  title: z.string(),
  effect: z.enum(['agent', 'host', 'agent-then-host', 'written']),
  base: z.string(),
  proposed: z.string(),
  facts: factsSchema,
  content: z.discriminatedUnion('kind', [
    z.object({
      kind: z.literal('text'),
      hunks: z.array(hunkState),
      written: writtenTextSchema.exactOptional(),
    }),
    z.object({
      kind: z.literal('binary'),
      sizeBefore: z.number().nullable(),
      written: z
        .object({
          hash: z.string(),
          size: z.number().nullable(),
          /** `kept`: in a file beside the head. */
          before: z.enum(['kept', 'absent', 'unknown']),
        })
        .exactOptional(),
    }),
  ]),
})

const entrySchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('step'), step: draftStep }),
  /** Another one asks for the same change; the one in the head is number 0. */
  z.object({ kind: z.literal('joined'), origin: originSchema }),
  z.object({ kind: z.literal('left'), asker: z.number().int() }),
  z.object({ kind: z.literal('base'), base: z.string(), facts: factsSchema }),
  /** A written file was written again; follows the `renew` step that says how its texts changed. */
  z.object({
    kind: z.literal('renewed'),
    base: z.string(),
    proposed: z.string(),
    facts: factsSchema,
    written: writtenTextSchema,
  }),
  z.object({
    kind: z.literal('decided'),
    verdict: z.enum(['accepted', 'rejected']),
    accepted: z.string().nullable(),
  }),
  z.object({ kind: z.literal('delivered') }),
  /** The person's edits to the proposal that this one replaced, and that proposal; null once they are taken over. */
  z.object({
    kind: z.literal('offered'),
    offer: z.object({ proposed: z.string(), result: z.string() }).nullable(),
  }),
])
/** One line of a review's log: a step, or what became of the question. */
export type Entry = z.infer<typeof entrySchema>

/** A review's head; null where none was written to its end. Throws where it is damaged. */
export async function readHead(path: string): Promise<z.infer<typeof headSchema> | null> {
  let head: string
  try {
    head = await readFile(path, 'utf8')
  } catch {
    return null
  }
  return headSchema.parse(JSON.parse(head))
}

/** All whole entries; the last line may have been cut by the crash. */
export async function readEntries(path: string): Promise<Entry[]> {
  let text: string
  try {
    text = await readFile(path, 'utf8')
  } catch {
    return []
  }
  const lines = text.split('\n')
  return lines.slice(0, -1).map((line) => entrySchema.parse(JSON.parse(line)))
}

/** Takes away a last line that a crash has cut, for what is written next would stand in it. */
export async function cutTornLine(path: string): Promise<void> {
  const bytes = await readFile(path).catch(() => null)
  const whole = bytes === null ? 0 : bytes.lastIndexOf(10) + 1
  if (bytes !== null && whole < bytes.length) await truncate(path, whole)
}
