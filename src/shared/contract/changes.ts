import { z } from 'zod'
import { defineCall, defineTopic, nothing, path, resultOf } from './define'

/** One of many files that were written at once. */
const groupedFile = z.object({
  path,
  name: z.string(),
  /** The folder as the person reads it. */
  folder: z.string(),
  /** There was no file before. */
  isNew: z.boolean(),
})

/** Many files that were written at once in an agent's turn without asking: one line in the list of reviews. */
export const changeGroup = z.object({
  id: z.string(),
  /** Whose turn it was, or "An agent" where several were in one. */
  agent: z.string(),
  count: z.number().int(),
  /** There were more than could be counted. */
  isMore: z.boolean(),
  /** Milliseconds since the epoch. */
  at: z.number(),
  /** The first of them, at most 1,000. */
  files: z.array(groupedFile),
})
export type ChangeGroup = z.infer<typeof changeGroup>

const id = z.string().max(100)

export const changesCalls = {
  /** The files stay as they are, and the group is gone. */
  'changes.keepAll': defineCall(z.object({ id }), resultOf(nothing)),
  /** The files are put back to what they held before; those that somebody has changed since stay, and stay listed. */
  'changes.putBackAll': defineCall(
    z.object({ id }),
    resultOf(z.object({ done: z.number().int(), left: z.number().int() })),
  ),
  /** Opens a review of one file of a group. */
  'changes.review': defineCall(z.object({ id, path }), resultOf(nothing)),
}

const groups = z.object({ groups: z.array(changeGroup) })

export const changesTopics = {
  /** The groups of this window's folders, the oldest first; each delta has all of them. */
  changes: defineTopic(nothing, groups, groups),
}
