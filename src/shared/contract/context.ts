import { z } from 'zod'
import { defineCall, defineTopic, nothing, path, position, resultOf } from './define'

/** What the person shares with agents; kept per folder. With `all` off nothing is shared. */
export const sharing = z.object({ all: z.boolean(), selection: z.boolean(), files: z.boolean() })

/** Why something is kept from agents. `unknown`: it isn't known (yet) whether a rule forbids it. */
export const withheld = z.discriminatedUnion('kind', [
  z.object({ kind: z.enum(['all-off', 'selection-off', 'files-off', 'ignored-by-git', 'unknown']) }),
  /** By one of the person's patterns (`file` is null) or a deny rule in an agent's settings file. */
  z.object({ kind: z.literal('excluded'), rule: z.string(), file: z.string().nullable() }),
])

/** A selection, or the cursor. `text` is only its beginning; `length` is that of the whole in UTF-16 units. */
const selected = { path, start: position, end: position, text: z.string(), length: z.number().int() }

/** Something that was sent to an agent. */
export const sentItem = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('selection'), ...selected }),
  /** The file in front, with the cursor if it is shared. */
  z.object({ kind: z.literal('cursor'), path, at: position }),
  z.object({ kind: z.literal('files'), paths: z.array(path) }),
  /** Lines count from 0, `last` is included; null for the whole file. */
  z.object({
    kind: z.literal('mention'),
    path,
    lines: z.object({ first: z.number().int(), last: z.number().int() }).nullable(),
  }),
  z.object({ kind: z.literal('diagnostics'), paths: z.array(path), count: z.number().int() }),
  /** Nothing is selected or open any more. */
  z.object({ kind: z.literal('nothing') }),
])
export type SentItem = z.infer<typeof sentItem>

export const sentEntry = z.object({
  id: z.number().int(),
  /** Milliseconds since the epoch. */
  at: z.number(),
  connection: z.string(),
  agent: z.string(),
  /** `asked`: as the result of one of the agent's tools. */
  how: z.enum(['told', 'asked']),
  item: sentItem,
})
export type SentEntry = z.infer<typeof sentEntry>

export const contextFile = z.object({
  path,
  name: z.string(),
  /** Its folder, as shown to the person; empty for the top of the only folder. */
  folder: z.string(),
  isActive: z.boolean(),
  withheld: withheld.nullable(),
})
export type ContextFile = z.infer<typeof contextFile>

/** A rule in an agent's settings file that also applies here. */
export const denyRule = z.object({ rule: z.string(), file: z.string() })

const contextSelection = contextFile.omit({ isActive: true }).extend(selected)

export const contextState = z.object({
  sharing,
  selection: contextSelection.nullable(),
  /** The selection, or the last one while something else than its file is in front. */
  latest: contextSelection.nullable(),
  files: z.array(contextFile),
  denyRules: z.array(denyRule),
  /** What is wrong with settings files, as sentences. */
  problems: z.array(z.string()),
  /** The oldest first. */
  sent: z.array(sentEntry),
})
export type ContextState = z.infer<typeof contextState>

export const contextDelta = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('state'), state: contextState.omit({ sent: true }).partial() }),
  /** A new entry, or one that replaces the entry with the same id. */
  z.object({ kind: z.literal('sent'), entry: sentEntry }),
])
export type ContextDelta = z.infer<typeof contextDelta>

export const contextCalls = {
  /** Changes what is shared, for this window's folders, at once. */
  'context.share': defineCall(sharing.partial(), nothing),
  /** Adds a pattern to the settings so that this file is never shared. */
  'context.exclude': defineCall(z.object({ path }), resultOf(z.object({ pattern: z.string() }))),
}

export const contextTopics = {
  context: defineTopic(nothing, contextState, contextDelta),
}
