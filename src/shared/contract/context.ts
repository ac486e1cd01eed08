import { z } from 'zod'
import { defineCall, defineTopic, nothing, path, position, resultOf } from './define'

/** What the person shares with agents; kept per folder. With `all` off nothing is shared, whatever the others say. */
export const sharing = z.object({ all: z.boolean(), selection: z.boolean(), files: z.boolean() })

/** Why something is kept from agents. `unknown`: whether a rule forbids it is not known yet, or cannot be found out. */
export const withheld = z.discriminatedUnion('kind', [
  z.object({ kind: z.enum(['all-off', 'selection-off', 'files-off', 'ignored-by-git', 'unknown']) }),
  /** By a pattern of the person's (`file` null) or a deny rule of an agent's settings file. */
  z.object({ kind: z.literal('excluded'), rule: z.string(), file: z.string().nullable() }),
])

/** Something that was really handed to an agent. */
export const sentItem = z.discriminatedUnion('kind', [
  /** `text` is only the beginning of it, `length` the whole in UTF-16 units. */
  z.object({
    kind: z.literal('selection'),
    path,
    start: position,
    end: position,
    text: z.string(),
    length: z.number().int(),
  }),
  /** The file in front, with the cursor where it is shared. */
  z.object({ kind: z.literal('cursor'), path, at: position }),
  z.object({ kind: z.literal('files'), paths: z.array(path) }),
  /** Lines from 0, the last one included; null for the whole file. */
  z.object({
    kind: z.literal('mention'),
    path,
    lines: z.object({ first: z.number().int(), last: z.number().int() }).nullable(),
  }),
  z.object({ kind: z.literal('diagnostics'), paths: z.array(path), count: z.number().int() }),
  /** It was told that nothing is selected or open any more. */
  z.object({ kind: z.literal('nothing') }),
])
export type SentItem = z.infer<typeof sentItem>

export const sentEntry = z.object({
  id: z.number().int(),
  /** Milliseconds since the epoch. */
  at: z.number(),
  connection: z.string(),
  agent: z.string(),
  /** `asked`: the answer to a tool of the agent's. */
  how: z.enum(['told', 'asked']),
  item: sentItem,
})
export type SentEntry = z.infer<typeof sentEntry>

/** A file as the Context view lists it. */
export const contextFile = z.object({
  path,
  name: z.string(),
  /** Its folder as the person reads it; empty for the top of the only folder. */
  folder: z.string(),
  isActive: z.boolean(),
  withheld: withheld.nullable(),
})
export type ContextFile = z.infer<typeof contextFile>

/** A rule of an agent's settings file that holds here too. */
export const denyRule = z.object({ rule: z.string(), file: z.string() })

export const contextState = z.object({
  sharing,
  /** What is selected, or where the cursor is. `text` is only the beginning of it. */
  selection: z
    .object({
      path,
      name: z.string(),
      folder: z.string(),
      start: position,
      end: position,
      text: z.string(),
      length: z.number().int(),
      withheld: withheld.nullable(),
    })
    .nullable(),
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
  /** A new entry, or more of the last one of the same id. */
  z.object({ kind: z.literal('sent'), entry: sentEntry }),
])
export type ContextDelta = z.infer<typeof contextDelta>

export const contextCalls = {
  /** Switches what is shared, for the folders of this window. It holds at once. */
  'context.share': defineCall(sharing.partial(), nothing),
  /** Never shares this file from now on: adds a pattern for it to the settings. */
  'context.exclude': defineCall(z.object({ path }), resultOf(z.object({ pattern: z.string() }))),
}

export const contextTopics = {
  context: defineTopic(nothing, contextState, contextDelta),
}
