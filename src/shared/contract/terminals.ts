import { z } from 'zod'
import { defineCall, defineTopic, nothing, path, resultOf } from './define'

/** What a new terminal can run: the shell, an agent, or one of the person's own profiles. */
export const terminalProfile = z.object({
  id: z.string(),
  title: z.string(),
  kind: z.enum(['shell', 'agent', 'own']),
  /** Where the program was found; null if it is missing, and then `install` says how to get it. */
  program: z.string().nullable(),
  version: z.string().nullable(),
  install: z.object({ sentence: z.string(), command: z.string() }).nullable(),
})
export type TerminalProfile = z.infer<typeof terminalProfile>

export const terminal = z.object({
  id: z.string(),
  profile: z.string(),
  title: z.string(),
  /** The title that the program last set (OSC 0 or 2), shown beside the stable `title`; '' at first. */
  programTitle: z.string(),
  pid: z.number().int().nullable(),
  cwd: path,
  state: z.discriminatedUnion('kind', [
    z.object({ kind: z.literal('running') }),
    z.object({ kind: z.literal('exited'), code: z.number().int(), signal: z.number().int().nullable() }),
    z.object({ kind: z.literal('failed'), message: z.string() }),
  ]),
  /** The terminal shown beside this one, if the two are a split pair. */
  splitOf: z.string().nullable(),
  /** Its program has called for the person since they last looked: with the bell, or a notification sequence. */
  bell: z.boolean(),
  /** What it said, as one line of plain text; '' for a bell. */
  note: z.string(),
})
export type Terminal = z.infer<typeof terminal>

const terminalsState = z.object({ terminals: z.array(terminal), profiles: z.array(terminalProfile) })

const id = z.string().max(100)
const columns = z.number().int().min(2).max(1000)
const rows = z.number().int().min(1).max(1000)

export const terminalsCalls = {
  'terminals.create': defineCall(
    z.object({ profile: z.string().max(100), columns, rows, splitOf: id.optional() }),
    resultOf(z.object({ id: z.string() })),
  ),
  /** What the person types or pastes, exactly as the terminal emulator gives it. */
  'terminals.write': defineCall(z.object({ id, data: z.string().max(16_000_000) }), nothing),
  'terminals.resize': defineCall(z.object({ id, columns, rows }), nothing),
  /** Credit: how many characters of output the page has parsed since the last call. */
  'terminals.acknowledge': defineCall(z.object({ id, length: z.number().int().min(1) }), nothing),
  'terminals.restart': defineCall(z.object({ id }), resultOf(nothing)),
  'terminals.rename': defineCall(z.object({ id, title: z.string().min(1).max(200) }), nothing),
  'terminals.seen': defineCall(z.object({ id }), nothing),
  /** Ends the program and its children, and removes the terminal. */
  'terminals.close': defineCall(z.object({ id }), nothing),
  /** For links: the existing files that these words name, relative to the terminal's folder. */
  'terminals.resolveLinks': defineCall(
    z.object({ id, words: z.array(z.string().max(1000)).max(100) }),
    z.object({ paths: z.array(path.nullable()) }),
  ),
}

export const terminalsTopics = {
  terminals: defineTopic(nothing, terminalsState, terminalsState.partial()),
  /**
   * One terminal's output. The snapshot is the host's screen with scrollback, as escape sequences for its size. Of a
   * long one it is only the beginning: the first `rest` characters of output complete it.
   */
  terminal: defineTopic(
    z.object({ id }),
    z.object({ screen: z.string(), rest: z.number(), columns: z.number(), rows: z.number() }),
    z.discriminatedUnion('kind', [
      z.object({ kind: z.literal('output'), data: z.string() }),
      z.object({ kind: z.literal('resized'), columns: z.number(), rows: z.number() }),
    ]),
  ),
}
