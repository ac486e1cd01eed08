import { z } from 'zod'
import { defineCall, defineTopic, nothing, path, resultOf } from './define'

/** An agent's connection. */
export const connection = z.object({
  id: z.string(),
  dialect: z.string(),
  agent: z.string(),
  version: z.string().nullable(),
  pid: z.number().int().nullable(),
  /** Milliseconds since the epoch. */
  since: z.number(),
  /** The terminal of this window that it runs in, where known. */
  terminal: z.string().nullable(),
  /**
   * It writes without asking (its permission mode), as a sentence; null while it asks. Not `certain` where its mode is
   * not known, and it may be one of those that write.
   */
  unasked: z.object({ sentence: z.string(), certain: z.boolean() }).nullable(),
})
export type Connection = z.infer<typeof connection>

/** The wire dialects of the servers that a window shows; the last is one for all windows. */
export const serverDialect = z.enum(['claude-ide', 'gemini-companion', 'session-server'])

/** A server that agents connect to. */
export const serverState = z.object({
  dialect: serverDialect,
  on: z.boolean(),
  port: z.number().int().nullable(),
  /** The discovery files it has written. */
  files: z.array(path),
  problem: z.string().nullable(),
})
export type ServerState = z.infer<typeof serverState>

/** One line of the check list: what was looked at, what was found, and what mends it. */
export const check = z.object({
  id: z.string(),
  state: z.enum(['good', 'unsure', 'bad']),
  words: z.string(),
  /** `asks` says what will be done where the person is to agree before. */
  mend: z.object({ id: z.string(), label: z.string(), asks: z.string().nullable() }).nullable(),
})
export type Check = z.infer<typeof check>

export const connectionsState = z.object({
  connections: z.array(connection),
  servers: z.array(serverState),
})
export type ConnectionsState = z.infer<typeof connectionsState>

export const connectionsCalls = {
  /** Starts or stops a server; stopping ends its connections and deletes its discovery files. Kept per folder. */
  'connections.setServer': defineCall(
    z.object({ dialect: serverDialect, on: z.boolean() }),
    resultOf(nothing),
  ),
}

export const checksCalls = {
  /** Looks why agents are connected or not, anew: servers, their files, settings and running command lines. */
  'connections.check': defineCall(
    nothing,
    z.object({
      servers: z.array(z.object({ dialect: serverDialect, checks: z.array(check) })),
    }),
  ),
  /** Mends what a check has found, by the id of its mend. */
  'connections.mend': defineCall(z.object({ id: z.string().max(500) }), resultOf(nothing)),
}

export const connectionsTopics = {
  connections: defineTopic(nothing, connectionsState, connectionsState.partial()),
}
