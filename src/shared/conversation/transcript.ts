/**
 * The one model of a conversation, for recorded sessions and for those that the app drives. It knows no file, no
 * socket and no dialect: `session-transcript.ts` makes it of the lines of a session of Claude Code, in whatever order
 * they come. Everything here is immutable: what has changed is another object, what has not is the same one.
 */

/**
 * One line of a session, as it stands in its source. The offset says where: for a file the byte that the line begins
 * with, for a stream a counter. It is the line's identity within its source: the same offset twice is the same line.
 */
export interface SourceLine {
  offset: number
  /** How long it is in the source, in bytes, without its line end. */
  bytes: number
  /** What it says, with all its fields untouched; undefined where it is no JSON, or was not read. */
  record: unknown
  /**
   * `not-json`: it cannot be read. `too-long`: too long to be read at all. `shortened`: it was read, and its longest
   * texts are cut in `record`.
   */
  flaw?: 'not-json' | 'too-long' | 'shortened'
  /** The beginning of a line without a record, for the person to look at. */
  head?: string
}

/** What is said in a conversation, piece by piece. */
export type Block =
  | { kind: 'text'; text: string }
  /** What a model thought; `text` is empty where its vendor keeps it to itself. */
  | { kind: 'thinking'; text: string }
  | { kind: 'tool'; call: ToolCall }
  /** `data` is base64, or empty where there is only an address. */
  | { kind: 'image'; mediaType: string; data: string; url: string | null }
  | { kind: 'document'; title: string; mediaType: string }
  /** Something else, as it came, under the name that it gives itself. */
  | { kind: 'other'; type: string; value: unknown }

/** What a tool does, whoever's it is: an adapter knows it by its agent's names. `task`: it starts a sub-agent. */
export type ToolKind =
  | 'read'
  | 'edit'
  | 'run'
  | 'search'
  | 'fetch'
  | 'think'
  | 'plan'
  | 'task'
  | 'ask'
  | 'other'

/** A tool that an agent used, joined with what came of it. */
export interface ToolCall {
  id: string
  kind: ToolKind
  /** As its agent calls it. */
  name: string
  /** As the person reads it. */
  title: string
  /** What the agent asked for, as it came. */
  input: unknown
  /**
   * `open`: nothing has come of it (it runs, or never ended: see `Activity`). `refused`: the person or a rule did not
   * allow it. `stopped`: the person stopped it.
   */
  state: 'open' | 'done' | 'failed' | 'refused' | 'stopped'
  result: ToolResult | null
  /** The newest word on how far it is, as it came; null where there was none. */
  progress: unknown
  /** The session of a sub-agent that it started, where that is known. */
  agent: string | null
  /** Milliseconds since the epoch. */
  startedAt: number | null
  endedAt: number | null
}

export interface ToolResult {
  /** What the model was told: texts, images and others, never tools. */
  content: readonly Block[]
  isError: boolean
  /** What the tool tells about itself beside that, as it came (paths, patches, output); undefined where nothing. */
  detail: unknown
  /** The line that it stands in. */
  offset: number
}

/** Tokens, as the vendor counts them. */
export interface Usage {
  input: number
  output: number
  cacheRead: number
  cacheWrite: number
}

/** The ways on from one place of a conversation; the switch is shown at their first items. */
export interface Branches {
  /** The first item of each way, the oldest first. */
  ids: readonly string[]
  /** The index of this one. */
  index: number
}

interface ItemBase {
  /** Stable, and unique within a transcript. */
  id: string
  /** Where its first line stands. */
  offset: number
  /** Milliseconds since the epoch; null where its line does not say. */
  at: number | null
  /** Present where the conversation forks and this begins one of its ways. */
  branches: Branches | null
}

/** What a person, or a program in their place, said. */
export interface Prompt extends ItemBase {
  kind: 'prompt'
  /** Texts, images, documents. */
  blocks: readonly Block[]
  /**
   * `queued`: typed while the agent worked, and taken when it was ready. `command`: a slash command, whose blocks are
   * its name and arguments as typed. `shell`: a line that the person ran in the agent's shell. `agent`: told to a
   * sub-agent by its agent.
   */
  manner: 'typed' | 'queued' | 'command' | 'shell' | 'agent'
}

/** One message of the model, joined of all its lines, with its tools and what came of them. */
export interface Reply extends ItemBase {
  kind: 'reply'
  /** Null where the agent itself wrote it in the model's place. */
  model: string | null
  blocks: readonly Block[]
  /** Null where it was not counted. */
  usage: Usage | null
  /** In dollars; only where the line says so itself. */
  costUSD: number | null
  /** Why the model ended it, in the vendor's word; null while it goes on or where it is not said. */
  stopReason: string | null
  /** It reports a failure of the agent or its service instead of an answer. */
  isError: boolean
}

/** Something that happened, between what was said. */
export interface Notice extends ItemBase {
  kind: 'notice'
  what:
    | 'compacted'
    | 'interrupted'
    /** What a slash command or a line of the shell printed. */
    | 'output'
    | 'error'
    | 'information'
  /** The text to show; may be empty or long. */
  text: string
  /** The record as it came. */
  record: unknown
}

export type Item = Prompt | Reply | Notice

/** A prompt and all that followed until the next one. */
export interface Turn {
  /** The item that began it: a prompt, or whatever stands first where its prompt was not read. */
  id: string
  /** Milliseconds since the epoch. */
  startedAt: number | null
  endedAt: number | null
  /** As the agent measured it, in milliseconds; null until it has. */
  duration: number | null
  /** All its replies together; null where none was counted. */
  usage: Usage | null
  /** In dollars; null where it is not known. */
  costUSD: number | null
  length: number
}

/** A line that is no part of the conversation, kept for who wants to see all. */
export interface OtherLine {
  offset: number
  bytes: number
  /** The record's own type; empty where the line has none. */
  type: string
  /** `known` ones serve the agent itself, `unknown` ones are of a kind that this app does not know. */
  standing: 'known' | 'unknown' | 'not-json' | 'too-long'
  record: unknown
  /** The beginning of a line without a record. */
  head: string
}

/** A prompt that waits until the agent is ready. */
export interface QueuedPrompt {
  text: string
  /** Milliseconds since the epoch. */
  at: number | null
}

/**
 * What an agent does. `working` also while a tool runs or asks; `idle`: it waits for the person. `unknown`: what was
 * read does not tell.
 */
export type Activity = 'working' | 'idle' | 'unknown'

/** What is known of a session besides what is said in it. Of each, what the newest line read says. */
export interface SessionFacts {
  sessionId: string | null
  /** The person's name for it, else one that the agent made; null where there is neither. */
  title: string | null
  titleBy: 'person' | 'agent' | null
  /** The folder that it works in, and the one that it began in. */
  folder: string | null
  firstFolder: string | null
  branch: string | null
  model: string | null
  version: string | null
  /** All of the session in dollars, as the agent counted it; null where it does not. */
  costUSD: number | null
  /** All tokens of the session, as the agent counted them; null where it does not. */
  usage: Usage | null
  /** The newest time on any line, milliseconds since the epoch. */
  lastAt: number | null
}

/** Both together; null only when both are. */
export function addUsage(a: Usage | null, b: Usage | null): Usage | null {
  if (a === null || b === null) return a ?? b
  return {
    input: a.input + b.input,
    output: a.output + b.output,
    cacheRead: a.cacheRead + b.cacheRead,
    cacheWrite: a.cacheWrite + b.cacheWrite,
  }
}

/** What is left of the first one without the second. */
export function subtractUsage(a: Usage, b: Usage): Usage {
  return {
    input: a.input - b.input,
    output: a.output - b.output,
    cacheRead: a.cacheRead - b.cacheRead,
    cacheWrite: a.cacheWrite - b.cacheWrite,
  }
}

/** All texts of some blocks, with an empty line between; neither thinking nor tools. */
export function textOf(blocks: readonly Block[]): string {
  return blocks.flatMap((block) => (block.kind === 'text' ? [block.text] : [])).join('\n\n')
}

/** The tools of some blocks, in order. */
export function toolsOf(blocks: readonly Block[]): ToolCall[] {
  return blocks.flatMap((block) => (block.kind === 'tool' ? [block.call] : []))
}

/** Who says something, as the person is told; `agent` is what the one who answers is called. */
export function speakerOf(item: Item, agent: string): string {
  switch (item.kind) {
    case 'prompt':
      return item.manner === 'agent' ? agent : 'You'
    case 'reply':
      return agent
    case 'notice':
      return 'Notice'
  }
}

/**
 * A transcript as it is read, recorded or live. It may change under its reader's feet, who is told so beside it. Each
 * source pages backwards and changes by id; an item stays the same object as long as nothing about it changes.
 */
export interface ReadTranscript {
  readonly length: number
  at(index: number): Item | undefined
  /** The id of the item at a place, without making the item. */
  idAt(index: number): string | undefined
  /** The place of an item; -1 where it is nowhere. */
  indexOf(id: string): number
  /** The turn that the item at a place belongs to. */
  turnAt(index: number): Turn | undefined
  /** What else stands in the source, in order. */
  readonly others: readonly OtherLine[]
  readonly facts: SessionFacts
  readonly activity: Activity
  /** What a sub-agent said and did. */
  agentItems(agent: string): readonly Item[]
}
