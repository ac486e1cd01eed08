import { z } from 'zod'
import { path } from '../contract/define'
import { longestSubject, longestValue } from './approval-fields'

/** What was filled in in a form, by field id. */
export const fieldValues = z.record(
  z.string().max(200),
  z.union([z.string().max(longestSubject), z.boolean(), z.array(z.string().max(longestValue)).max(200)]),
)

/** The part of a rule that the person may change. */
export const ruleWords = z.object({
  answer: z.enum(['allow', 'deny']),
  kind: z.enum(['run', 'fetch', 'other']),
  /** The agent's name; null: any agent. */
  agent: z.string().max(200).nullable(),
  /** The agent's tool; null: any tool. */
  tool: z.string().max(500).nullable(),
  /**
   * `*` matches any characters except those that join commands or are invisible, `\*` a star and `\\` a backslash. Every
   * character of a subject may need an escape.
   */
  pattern: z
    .string()
    .min(1)
    .max(2 * longestSubject),
  /** The folder where it holds, including its subfolders; null: everywhere. */
  folder: path.nullable(),
})

export const approvalRule = ruleWords.extend({
  id: z.string().max(100),
  /** The session (or connection, if the agent has no sessions) that it holds for and ends with; null: it is kept. */
  session: z.string().max(200).nullable(),
  /** Milliseconds since the epoch. */
  madeAt: z.number(),
})

/** How a question ended, and by whom, as kept on disk. `app`: it couldn't be asked, or nobody asks any more. */
export const approvalRecordEntry = z.object({
  id: z.string().max(100),
  at: z.number(),
  agent: z.string().max(200),
  dialect: z.string().max(100),
  kind: z.enum(['run', 'fetch', 'plan', 'question', 'other']),
  tool: z.string().max(500).nullable(),
  folder: z.string().nullable(),
  outcome: z.enum(['allowed', 'denied', 'withdrawn', 'refused']),
  by: z.enum(['person', 'rule', 'elsewhere', 'app']),
  /** The rule that answered. */
  rule: z.string().nullable(),
  said: z.null(),
})
