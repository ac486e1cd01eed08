import { z } from 'zod'
import { defineCall, defineTopic, nothing, path, resultOf } from './define'

const id = z.string().min(1).max(200)

/**
 * What a session's own process does now. `asking`: it shows a question, and waits for the answer to that. `running`: it
 * does not tell. `none`: there is no process.
 */
export const sessionState = z.enum(['working', 'asking', 'idle', 'running', 'none'])
export type SessionState = z.infer<typeof sessionState>

/** An agent's session, past or running, as the list shows it. Times in milliseconds since the epoch. */
export const sessionSummary = z.object({
  id: z.string(),
  /** The person's name for it, the agent's own, or its first prompt: plain text of one line. */
  title: z.string(),
  titleBy: z.enum(['app', 'person', 'agent', 'prompt', 'nobody']),
  /** The beginning of what was asked first; null where nothing was. */
  firstPrompt: z.string().nullable(),
  /** The folder that it works in; null where no line says so. */
  folder: path.nullable(),
  branch: z.string().nullable(),
  lastAt: z.number().nullable(),
  bytes: z.number(),
  state: sessionState,
  /** The terminal of this window that it runs in; null where it runs elsewhere, or nowhere. */
  terminal: z.string().nullable(),
  /** Null, as the others, until the session has been counted (`sessions.count`). */
  messages: z.number().int().nullable(),
  /** The tokens of all messages, cached or not. */
  tokens: z.number().nullable(),
  costUSD: z.number().nullable(),
  forks: z.number().int().nullable(),
  isHidden: z.boolean(),
})
export type SessionSummary = z.infer<typeof sessionSummary>

/** A line of a session, as `SourceLine` of the transcript describes it. */
const sourceLine = z.object({
  offset: z.number(),
  bytes: z.number(),
  record: z.unknown(),
  flaw: z.enum(['not-json', 'too-long', 'shortened']).optional(),
  head: z.string().optional(),
})

/** Lines of one reading of a file. Another `reading` is another file: nothing of the one before counts any more. */
const stretch = z.object({
  reading: z.number().int(),
  lines: z.array(sourceLine),
  /** Where the first of them begins; 0 when nothing stands before. */
  from: z.number(),
})

/** What became of a file that is followed. */
const followed = [
  /** In order; the last line told may be told once more, at its place, should it have grown. */
  z.object({ kind: z.literal('appended'), lines: z.array(sourceLine) }),
  z.object({ kind: z.literal('anew'), stretch }),
  /** The file is gone; if it comes back, that is told as `anew`. */
  z.object({ kind: z.literal('gone') }),
] as const

/** A text of a session in which everything stands that was looked for. */
const sessionHit = z.object({
  /** The uuid of the line that it is shown in; null where the line has none. */
  uuid: z.string().nullable(),
  /** The offset of that line. */
  offset: z.number(),
  /**
   * Where it was said by a sub-agent: that line uses the tool that started it, and this is the line in its record; more
   * than one where sub-agents started each other, the innermost last.
   */
  inside: z.array(z.object({ agent: z.string(), uuid: z.string().nullable(), offset: z.number() })),
  at: z.number().nullable(),
  speaker: z.enum(['you', 'agent', 'tool', 'notice']),
  /** The text around the first place, on one line. */
  text: z.string(),
  /** The places in it, in UTF-16 units; `to` is behind the end. */
  marks: z.array(z.object({ from: z.number().int(), to: z.number().int() })),
})
export type SessionHit = z.infer<typeof sessionHit>

/** What was found in one session: the newest hits first. */
const foundSession = z.object({
  id: z.string(),
  hits: z.array(sessionHit),
  /** There are more, older ones. */
  isCut: z.boolean(),
})
export type FoundSession = z.infer<typeof foundSession>

const sessionSearch = z.object({
  /** `cut`: there is more than is told. `no-program`: there is no ripgrep to search with. */
  phase: z.enum(['running', 'done', 'cut', 'failed', 'no-program']),
  /** How many sessions have been searched, and how many there are. */
  searched: z.number().int(),
  of: z.number().int(),
  found: z.array(foundSession),
})
export type SessionSearchState = z.infer<typeof sessionSearch>

export const sessionsCalls = {
  /** Names a session; an empty name takes the person's name away. The agent's file stays as it is. */
  'sessions.rename': defineCall(z.object({ id, title: z.string().max(500) }), resultOf(nothing)),
  'sessions.hide': defineCall(z.object({ id, hidden: z.boolean() }), resultOf(nothing)),
  /** Moves a session's files to the system's trash. Refused while it runs. */
  'sessions.trash': defineCall(z.object({ id }), resultOf(nothing)),
  /**
   * These are seen: they are counted where that has not been done since they changed, and the list tells.
   */
  'sessions.count': defineCall(z.object({ ids: z.array(id).max(1000) }), nothing),
  /**
   * The page of lines before an offset of a reading; `agent`: of a sub-agent's record. Fails as `stale` when the file is
   * another one by now.
   */
  'sessions.earlier': defineCall(
    z.object({
      id,
      agent: id.optional(),
      reading: z.number().int(),
      before: z.number(),
      /** About so many; a page as usual where it is absent. */
      messages: z.number().int().min(1).max(2000).optional(),
    }),
    resultOf(stretch),
  ),
  /**
   * Lines from an offset of a reading on, at which one must begin; `to` is where the next one does. Fails as `stale`
   * where no line begins, or when the file is another one by now.
   */
  'sessions.later': defineCall(
    z.object({ id, reading: z.number().int(), from: z.number().int().min(0) }),
    resultOf(stretch.extend({ to: z.number() })),
  ),
  /**
   * A piece of the file, or of a sub-agent's record, as it is, for an export. `next` is null behind the last one.
   */
  'sessions.read': defineCall(
    z.object({ id, agent: id.optional(), from: z.number().int().min(0) }),
    resultOf(z.object({ text: z.string(), next: z.number().nullable(), size: z.number() })),
  ),
  /** Goes on with a session in a new terminal of this window; with a copy of one that runs outside of the app. */
  'sessions.resume': defineCall(
    z.object({ id }),
    resultOf(z.object({ terminal: z.string(), isCopy: z.boolean() })),
  ),
  /**
   * Puts a file back to what it was before a recorded change, if it is still what the agent left: `call` is the
   * tool's, `offset` that of the line with its result.
   */
  'sessions.restore': defineCall(
    z.object({ id, call: id, offset: z.number().int().min(0) }),
    resultOf(nothing),
  ),
  'tabs.openSession': defineCall(z.object({ session: id }), nothing),
}

export const sessionsTopics = {
  /** All sessions of all projects, in no order. */
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
   * Looks for words in what is said in all sessions, as long as it is followed: the newest session first. All words must
   * stand in one message; "words in quotes" in a row. A delta brings sessions that come to those that are there.
   */
  sessionSearch: defineTopic(z.object({ text: z.string().max(1000) }), sessionSearch, sessionSearch),
  /** One session: its last page, then what is written. Null for an unknown id. */
  session: defineTopic(
    z.object({ id }),
    stretch.nullable(),
    z.discriminatedUnion('kind', [
      ...followed,
      /** Which sub-agents its calls have started, all that are known: their lines stand in files of their own. */
      z.object({
        kind: z.literal('agents'),
        agents: z.array(z.object({ call: z.string(), agent: z.string() })),
      }),
    ]),
  ),
  /** A sub-agent's own record: its last page, then what is written. Null where it has none. */
  subAgent: defineTopic(
    z.object({ id, agent: id }),
    stretch.nullable(),
    z.discriminatedUnion('kind', [...followed]),
  ),
}
