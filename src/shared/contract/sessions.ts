import { z } from 'zod'
import type { SourceLine } from '../conversation/transcript'
import { defineCall, defineTopic, nothing, path, resultOf } from './define'

const id = z.string().min(1).max(200)

/**
 * What a session's process is doing. `asking`: it waits for the answer to a question. `running`: it doesn't say.
 * `none`: there is no process.
 */
export const sessionState = z.enum(['working', 'asking', 'idle', 'running', 'none'])
export type SessionState = z.infer<typeof sessionState>

/** An agent's session, past or running, as the list shows it. Times in milliseconds since the epoch. */
export const sessionSummary = z.object({
  id: z.string(),
  /** The person's name for it, the agent's own, or its first prompt: plain text of one line. */
  title: z.string(),
  titleBy: z.enum(['app', 'person', 'agent', 'prompt', 'nobody']),
  /** The beginning of the first prompt; null if there is none. */
  firstPrompt: z.string().nullable(),
  /** The folder that it works in; null if no line says so. */
  folder: path.nullable(),
  branch: z.string().nullable(),
  lastAt: z.number().nullable(),
  bytes: z.number(),
  state: sessionState,
  /** The terminal of this window that it runs in; null if it runs elsewhere, or not at all. */
  terminal: z.string().nullable(),
  /** It is in a conversation whose agent Greenlight runs, in whichever window. */
  isDriven: z.boolean(),
  /** Null, like the other figures, until the session has been counted (`sessions.count`). */
  messages: z.number().int().nullable(),
  /** Of all messages, cached or not. */
  tokens: z.number().nullable(),
  costUSD: z.number().nullable(),
  forks: z.number().int().nullable(),
  isHidden: z.boolean(),
})
export type SessionSummary = z.infer<typeof sessionSummary>

const sourceLine = z.custom<SourceLine>()

/** Lines of a file. Another `reading` is another file: what was read of the one before no longer counts. */
const stretch = z.object({
  reading: z.number().int(),
  lines: z.array(sourceLine),
  /** Where the first of them begins; 0 if nothing precedes it. */
  from: z.number(),
})

/** What happened to a file that is followed. */
const followed = [
  /** In order; the last line sent may come again, with the same offset, if it has grown. */
  z.object({ kind: z.literal('appended'), lines: z.array(sourceLine) }),
  z.object({ kind: z.literal('anew'), stretch }),
  /** The file is gone; `anew` follows if it comes back. */
  z.object({ kind: z.literal('gone') }),
] as const

/** A text of a session that contains everything searched for. */
const sessionHit = z.object({
  /** The uuid of the line that it is shown in; null if the line has none. */
  uuid: z.string().nullable(),
  /** The offset of that line. */
  offset: z.number(),
  /**
   * If a sub-agent said it, the line in its record, while the line above uses the tool that started it. Several if
   * sub-agents started each other, the innermost last.
   */
  inside: z.array(z.object({ agent: z.string(), uuid: z.string().nullable(), offset: z.number() })),
  at: z.number().nullable(),
  speaker: z.enum(['you', 'agent', 'tool', 'notice']),
  /** The text around the first match, on one line. */
  text: z.string(),
  /** The matches in it, in UTF-16 units; `to` is exclusive. */
  marks: z.array(z.object({ from: z.number().int(), to: z.number().int() })),
})
export type SessionHit = z.infer<typeof sessionHit>

/** What was found in one session, the newest hits first. */
const foundSession = z.object({
  id: z.string(),
  hits: z.array(sessionHit),
  /** There are more hits, all older. */
  isCut: z.boolean(),
})
export type FoundSession = z.infer<typeof foundSession>

const sessionSearch = z.object({
  /** `cut`: there are more results than are sent. `no-program`: ripgrep is missing. */
  phase: z.enum(['running', 'done', 'cut', 'failed', 'no-program']),
  /** How many sessions have been searched, and how many there are. */
  searched: z.number().int(),
  of: z.number().int(),
  found: z.array(foundSession),
})
export type SessionSearchState = z.infer<typeof sessionSearch>

export const sessionsCalls = {
  /** Names a session; an empty name removes the person's name. The agent's file stays as it is. */
  'sessions.rename': defineCall(z.object({ id, title: z.string().max(500) }), resultOf(nothing)),
  'sessions.hide': defineCall(z.object({ id, hidden: z.boolean() }), resultOf(nothing)),
  /** Moves a session's files to the system's trash. Fails while it is running. */
  'sessions.trash': defineCall(z.object({ id }), resultOf(nothing)),
  /** Counts these sessions, whose rows are in sight, if they have changed since; the figures come with the list. */
  'sessions.count': defineCall(z.object({ ids: z.array(id).max(1000) }), nothing),
  /**
   * The page of lines before an offset; `agent`: of a sub-agent's record. Fails as `stale` if the file is another one
   * by now.
   */
  'sessions.earlier': defineCall(
    z.object({
      id,
      agent: id.optional(),
      reading: z.number().int(),
      before: z.number(),
      /** About how many; absent: the usual page. */
      messages: z.number().int().min(1).max(2000).optional(),
    }),
    resultOf(stretch),
  ),
  /**
   * Lines from an offset where a line begins; `to` is where the next one does. Fails as `stale` if no line begins
   * there, or if the file is another one by now.
   */
  'sessions.later': defineCall(
    z.object({ id, reading: z.number().int(), from: z.number().int().min(0) }),
    resultOf(stretch.extend({ to: z.number() })),
  ),
  /** A piece of the file, or of a sub-agent's record, for an export. `next` is null after the last one. */
  'sessions.read': defineCall(
    z.object({ id, agent: id.optional(), from: z.number().int().min(0) }),
    resultOf(z.object({ text: z.string(), next: z.number().nullable(), size: z.number() })),
  ),
  /** Resumes a session in a new terminal of this window, or a copy of it if it runs outside the app. */
  'sessions.resume': defineCall(
    z.object({ id }),
    resultOf(z.object({ terminal: z.string(), isCopy: z.boolean() })),
  ),
  /**
   * Puts a file back to what it was before a recorded change, if it is still as the agent left it. `call` is the tool
   * call's id, `offset` that of the line with its result.
   */
  'sessions.restore': defineCall(
    z.object({ id, call: id, offset: z.number().int().min(0) }),
    resultOf(nothing),
  ),
  'tabs.openSession': defineCall(z.object({ session: id }), nothing),
}

export const sessionsTopics = {
  /** All sessions of all projects, in no particular order. */
  sessions: defineTopic(
    nothing,
    z.object({ sessions: z.array(sessionSummary), isListing: z.boolean() }),
    z.object({
      put: z.array(sessionSummary).optional(),
      gone: z.array(z.string()).optional(),
      isListing: z.boolean().optional(),
    }),
  ),
  /**
   * Searches all sessions, the newest first, while subscribed. All words must be in one message, and "words in quotes"
   * one after another. A delta's sessions are added to the others.
   */
  sessionSearch: defineTopic(z.object({ text: z.string().max(1000) }), sessionSearch, sessionSearch),
  /** One session: its last page, then what is added. Null for an unknown id. */
  session: defineTopic(
    z.object({ id }),
    stretch.nullable(),
    z.discriminatedUnion('kind', [
      ...followed,
      /** All known sub-agents with files of their own, by the calls that started them. */
      z.object({
        kind: z.literal('agents'),
        agents: z.array(z.object({ call: z.string(), agent: z.string() })),
      }),
    ]),
  ),
  /** A sub-agent's own record: its last page, then what is added. Null if it has none. */
  subAgent: defineTopic(
    z.object({ id, agent: id }),
    stretch.nullable(),
    z.discriminatedUnion('kind', [...followed]),
  ),
}
