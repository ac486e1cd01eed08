import { z } from 'zod'
import { defineCall, defineTopic, nothing, path, resultOf } from './define'

export const connection = z.object({
  id: z.string(),
  dialect: z.string(),
  /** The dialect's name. */
  protocol: z.string(),
  agent: z.string(),
  version: z.string().nullable(),
  pid: z.number().int().nullable(),
  /** Milliseconds since the epoch. */
  since: z.number(),
  /** The terminal of this window that it runs in, if known. */
  terminal: z.string().nullable(),
  /**
   * A sentence if its permission mode lets it write without asking; null while it asks. Not `certain` if its mode isn't
   * known and may be one of these.
   */
  unasked: z.object({ sentence: z.string(), certain: z.boolean() }).nullable(),
  /** A sentence to show if there is nothing to warn about. */
  note: z.string().nullable(),
  /** What its agent does, by its own word; null or absent while it doesn't say. */
  doing: z.string().nullable().exactOptional(),
})
export type Connection = z.infer<typeof connection>

/** A description of a dialect's server for the person. */
export const serverAbout = z.object({
  /** The agent that it is for, by the name in its connections; null if it is for no agent. */
  agent: z.string().nullable(),
  name: z.string(),
  /** The label of its switch. */
  toggle: z.string(),
  protocol: z.string(),
  /** Its address, with PORT in place of the port. */
  address: z.string(),
  /** The name of its discovery file. */
  file: z.string(),
  whenOff: z.string(),
  /**
   * What the person types to start a program that connects to it, with FILE in place of its file; null where agents
   * find it by themselves. `converses`: the program's conversation opens here.
   */
  command: z.object({ text: z.string(), note: z.string(), converses: z.boolean() }).nullable(),
  /** The note for a connection whose process is known. */
  noteWhenKnown: z.string().nullable(),
})
export type ServerAbout = z.infer<typeof serverAbout>

export const serverState = z.object({
  dialect: z.string(),
  about: serverAbout,
  on: z.boolean(),
  port: z.number().int().nullable(),
  /** The discovery files it has written. */
  files: z.array(path),
  problem: z.string().nullable(),
})
export type ServerState = z.infer<typeof serverState>

/** One row of the check list: what was found, and what fixes it. */
export const check = z.object({
  id: z.string(),
  state: z.enum(['good', 'unsure', 'bad']),
  words: z.string(),
  /** `asks`: says what will be done, if the person has to agree first. */
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
    z.object({ dialect: z.string().max(100), on: z.boolean() }),
    resultOf(nothing),
  ),
}

export const checksCalls = {
  /** Checks why agents are or aren't connected: servers, their files, settings and running processes. */
  'connections.check': defineCall(
    nothing,
    z.object({
      servers: z.array(z.object({ dialect: z.string(), checks: z.array(check) })),
    }),
  ),
  /** Fixes what a check has found; the id is that of its `mend`. */
  'connections.mend': defineCall(z.object({ id: z.string().max(500) }), resultOf(nothing)),
}

export const connectionsTopics = {
  connections: defineTopic(nothing, connectionsState, connectionsState.partial()),
}
