import { z } from 'zod'
import { defineCall, defineTopic, nothing } from './define'
import { decidedHow, reviewSummary } from './review'

/** One entry of the record of writes: what an agent wrote or asked to write, and what became of it. */
export const writeEntry = z.object({
  ...reviewSummary.pick({ id: true, path: true, name: true, folder: true, agent: true }).shape,
  /** Milliseconds since the epoch. */
  at: z.number(),
  how: decidedHow,
  /** The rule that let it through. */
  rule: z.string().exactOptional(),
  /** The agent's permission mode that wrote it. */
  mode: z.string().exactOptional(),
  /** The agent's own session id. */
  session: z.string().exactOptional(),
  addedLines: z.number().int().exactOptional(),
  removedLines: z.number().int().exactOptional(),
  /** What the file held afterwards, beside what was proposed. */
  written: z.enum(['as-proposed', 'otherwise', 'nothing', 'unknown']),
  /** The texts are kept and can be compared. */
  hasTexts: z.boolean(),
  /** Of a file without texts, as far as they are known; 0 for no file. */
  bytesBefore: z.number().exactOptional(),
  bytesAfter: z.number().exactOptional(),
  canUndo: z.boolean(),
  canReopen: z.boolean(),
  /** When the person took the decision back, in milliseconds since the epoch. */
  takenBack: z.number().exactOptional(),
})
export type WriteEntry = z.infer<typeof writeEntry>

/** The last entry that has been given; what follows is older. */
const mark = z.object({ at: z.number(), id: z.string().max(100) })

export const recordCalls = {
  /**
   * The newest entries, or those that follow `after`, that have all words of `text` in their path, agent, rule or texts.
   * `problem`: why the texts couldn't be searched, as a sentence.
   */
  'record.page': defineCall(
    z.object({
      text: z.string().max(1000),
      after: mark.exactOptional(),
      limit: z.number().int().min(1).max(200),
    }),
    z.object({ entries: z.array(writeEntry), more: z.boolean(), problem: z.string().exactOptional() }),
  ),
  /** The whole record for an export, in pieces: JSON lines, newest first. `next` is null after the last one. */
  'record.lines': defineCall(
    z.object({ texts: z.boolean(), after: mark.exactOptional() }),
    z.object({ lines: z.string(), next: mark.nullable() }),
  ),
}

/** How many writes the rules for files have let through in this window's folders in the last 7 days, by their patterns. */
const letThrough = z.array(z.object({ pattern: z.string(), count: z.number().int() }))

export const recordTopics = {
  letThrough: defineTopic(nothing, letThrough, letThrough),
  /** Rises whenever something comes into the record, changes or leaves it. */
  record: defineTopic(nothing, z.object({ count: z.number().int() }), z.object({ count: z.number().int() })),
}
