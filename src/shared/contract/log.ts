import { z } from 'zod'
import { defineCall, defineTopic, nothing, path, resultOf } from './define'

/** A connection whose frames can be read. `ended` is null while it is open; times in milliseconds since the epoch. */
export const logSource = z.object({
  id: z.string(),
  agent: z.string(),
  version: z.string().nullable(),
  dialect: z.string(),
  since: z.number(),
  ended: z.number().nullable(),
})
export type LogSource = z.infer<typeof logSource>

/** One frame in the list. `in`: from the agent. `ms`: how long an answer took, if its request is known. */
export const frameRow = z.object({
  seq: z.number().int(),
  at: z.number(),
  direction: z.enum(['in', 'out']),
  kind: z.enum(['request', 'answer', 'error', 'notification', 'unreadable']),
  name: z.string(),
  bytes: z.number().int(),
  ms: z.number().nullable(),
})
export type FrameRow = z.infer<typeof frameRow>

const connection = z.string().max(100)
const sources = z.object({ sources: z.array(logSource) })
const rows = z.object({ rows: z.array(frameRow), forgotten: z.number().int() })
export type LogRows = z.infer<typeof rows>

export const logCalls = {
  /** One frame as indented JSON, folded and redacted; null when it is no longer kept. */
  'log.frame': defineCall(
    z.object({ connection, seq: z.number().int() }),
    z.object({ text: z.string().nullable() }),
  ),
  /** The frames from a number on whose folded text contains this text. */
  'log.search': defineCall(
    z.object({ connection, text: z.string().max(1000), from: z.number().int().min(0) }),
    z.object({ seqs: z.array(z.number().int()) }),
  ),
  /** Writes a connection's folded frames to a new file as JSON lines; gives its path. */
  'log.export': defineCall(z.object({ connection }), resultOf(z.object({ path }))),
}

export const logTopics = {
  logSources: defineTopic(nothing, sources, sources),
  /** The frames of one connection; a delta has the new ones, and how many in all are no longer kept. */
  log: defineTopic(z.object({ connection }), rows, rows),
}
