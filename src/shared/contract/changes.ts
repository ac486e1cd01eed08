import { z } from 'zod'
import { defineCall, defineTopic, nothing, path, resultOf } from './define'

const groupedFile = z.object({
  path,
  name: z.string(),
  /** The folder, as shown to the person. */
  folder: z.string(),
  /** The file didn't exist before. */
  isNew: z.boolean(),
})

/** Many files written at once in an agent's turn without asking; one row in the list of reviews. */
export const changeGroup = z.object({
  id: z.string(),
  /** Grows with every file that comes to the group, or is written again. */
  revision: z.number().int(),
  /** Whose turn it was, or "An agent" if there were several. */
  agent: z.string(),
  /** The command that wrote them, as far as its first line; null if that isn't known. */
  command: z.string().nullable(),
  count: z.number().int(),
  /** There were too many to count. */
  isMore: z.boolean(),
  /** Milliseconds since the epoch. */
  at: z.number(),
  /** The first 1,000 at most. */
  files: z.array(groupedFile),
})
export type ChangeGroup = z.infer<typeof changeGroup>

const id = z.string().max(100)
/** A group as the person saw it: what has come to it since isn't meant. */
const seenGroup = z.object({ id, revision: z.number().int() })

export const changesCalls = {
  /** Keeps the files as they are and takes them out of the group. */
  'changes.keepAll': defineCall(seenGroup, resultOf(nothing)),
  /** Puts the files back to what they held before, except any that have changed since: those stay listed. */
  'changes.putBackAll': defineCall(
    seenGroup,
    resultOf(z.object({ done: z.number().int(), left: z.number().int() })),
  ),
  /** Opens a review of one file of a group. */
  'changes.review': defineCall(z.object({ id, path }), resultOf(z.object({ review: z.string() }))),
}

const groups = z.object({ groups: z.array(changeGroup) })

export const changesTopics = {
  /** The groups in this window's folders, the oldest first; each delta has all of them. */
  changes: defineTopic(nothing, groups, groups),
}
