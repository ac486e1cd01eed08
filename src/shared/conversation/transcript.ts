/**
 * The one model of a conversation, recorded or driven by the app. It knows no file, socket or dialect:
 * `session-transcript.ts` makes it from the lines of a Claude Code session. Everything here is immutable: what has
 * changed is a new object, everything else is the same one.
 */

/**
 * One line of a session. The offset says where it begins: in a file in bytes, in a stream a counter. It identifies the
 * line within its source.
 */
export interface SourceLine {
  offset: number
  /** Its length in bytes, without the line end. */
  bytes: number
  /** Its JSON value, unchanged; undefined if it isn't JSON, or wasn't read. */
  record: unknown
  /**
   * `not-json`: it can't be parsed. `too-long`: too long to be read at all. `shortened`: the longest texts in `record`
   * are cut.
   */
  flaw?: 'not-json' | 'too-long' | 'shortened'
  /** The beginning of a line without a record, for the person. */
  head?: string
}

/** A part of what is said in a conversation. */
export type Block =
  | { kind: 'text'; text: string }
  /** What a model thought; `text` is empty if its vendor doesn't reveal it. */
  | { kind: 'thinking'; text: string }
  | { kind: 'tool'; call: ToolCall }
  /** `data` is base64, or empty if there is only an address. */
  | { kind: 'image'; mediaType: string; data: string; url: string | null }
  | { kind: 'document'; title: string; mediaType: string }
  /** Anything else, as it came, with its own type. */
  | { kind: 'other'; type: string; value: unknown }

/** What a tool does, for any agent: adapters map their agent's names to it. `task`: it starts a sub-agent. */
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

/** A tool that an agent used, with its result. */
export interface ToolCall {
  id: string
  kind: ToolKind
  /** The agent's name for it. */
  name: string
  /** Its name for the person. */
  title: string
  /** What the agent asked for, as it came. */
  input: unknown
  /**
   * `open`: it has no result (it is running, or never ended; see `Activity`). `refused`: the person or a rule didn't
   * allow it. `stopped`: the person stopped it.
   */
  state: 'open' | 'done' | 'failed' | 'refused' | 'stopped'
  result: ToolResult | null
  /** Its newest progress report, as it came; null if there was none. */
  progress: unknown
  /** The session of the sub-agent that it started, if known. */
  agent: string | null
  /** Milliseconds since the epoch. */
  startedAt: number | null
  endedAt: number | null
}

export interface ToolResult {
  /** What the model was told: texts, images and so on, never tools. */
  content: readonly Block[]
  isError: boolean
  /** What else the tool reports, as it came (paths, patches, output); undefined if nothing. */
  detail: unknown
  /** Of its line. */
  offset: number
}

/** Tokens, as the vendor counts them. */
export interface Usage {
  input: number
  output: number
  cacheRead: number
  cacheWrite: number
}

/** The ways at a fork; the switch between them is shown at their first items. */
export interface Branches {
  /** The first item of each way, the oldest first. */
  ids: readonly string[]
  /** The index of this one. */
  index: number
}

interface ItemBase {
  /** Stable, and unique in the transcript. */
  id: string
  /** Of its first line. */
  offset: number
  /** Milliseconds since the epoch; null if its line doesn't say. */
  at: number | null
  /** Null unless this begins one of several ways. */
  branches: Branches | null
}

/** What a person, or a program in their place, said. */
export interface Prompt extends ItemBase {
  kind: 'prompt'
  /** Texts, images, documents. */
  blocks: readonly Block[]
  /**
   * `queued`: typed while the agent was working. `command`: a slash command; its block is the name and arguments as
   * typed. `shell`: a line that the person ran in the agent's shell. `agent`: from an agent to its sub-agent.
   */
  manner: 'typed' | 'queued' | 'command' | 'shell' | 'agent'
}

/** One message of the model, from all its lines, with its tools and their results. */
export interface Reply extends ItemBase {
  kind: 'reply'
  /** Null if the agent itself wrote it in place of the model. */
  model: string | null
  blocks: readonly Block[]
  /** Null if it wasn't counted. */
  usage: Usage | null
  /** In dollars; null unless its lines say so. */
  costUSD: number | null
  /** Why the model ended it, in the vendor's words; null if it hasn't ended or doesn't say. */
  stopReason: string | null
  /** It is an error of the agent or its service instead of an answer. */
  isError: boolean
}

/** Something that happened between what was said. */
export interface NoticeItem extends ItemBase {
  kind: 'notice'
  what:
    | 'compacted'
    | 'interrupted'
    /** What a slash command or a shell line printed. */
    | 'output'
    | 'error'
    | 'information'
  /** The text to show; may be empty or long. */
  text: string
  /** The record as it came. */
  record: unknown
}

export type Item = Prompt | Reply | NoticeItem

/** A prompt and everything until the next one. */
export interface Turn {
  /** The item that begins it: a prompt, or whatever comes first if its prompt isn't loaded. */
  id: string
  /** Milliseconds since the epoch. */
  startedAt: number | null
  endedAt: number | null
  /** As the agent measured it, in milliseconds; null until it has. */
  duration: number | null
  /** Of all its replies together; null if none was counted. */
  usage: Usage | null
  /** In dollars; null if unknown. */
  costUSD: number | null
  length: number
}

/** A line that isn't part of the conversation, for the list of all lines. */
export interface OtherLine {
  offset: number
  bytes: number
  /** The record's type; empty if it has none. */
  type: string
  /** `known`: the agent's own record keeping. `unknown`: of a type that this app doesn't know. */
  standing: 'known' | 'unknown' | 'not-json' | 'too-long'
  record: unknown
  /** The beginning of a line without a record. */
  head: string
}

/** A prompt that waits until the agent is ready for it. */
export interface QueuedPrompt {
  text: string
  /** Milliseconds since the epoch. */
  at: number | null
}

/**
 * What an agent is doing. `working`: also while a tool runs or asks. `idle`: it waits for the person. `unknown`: what
 * was read doesn't say.
 */
export type Activity = 'working' | 'idle' | 'unknown'

/** What is known about a session besides its conversation, from the newest lines that say so. */
export interface SessionFacts {
  sessionId: string | null
  /** The person's name for it, else the agent's; null if there is neither. */
  title: string | null
  titleBy: 'person' | 'agent' | null
  /** The folder that it works in, and the one where it began. */
  folder: string | null
  firstFolder: string | null
  branch: string | null
  model: string | null
  version: string | null
  /** The whole session's cost in dollars, as the agent counts it; null if it doesn't. */
  costUSD: number | null
  /** The whole session's tokens, as the agent counts them; null if it doesn't. */
  usage: Usage | null
  /** The newest time in any line, in milliseconds since the epoch. */
  lastAt: number | null
}

/** The sum; null only if both are null. */
export function addUsage(a: Usage | null, b: Usage | null): Usage | null {
  if (a === null || b === null) return a ?? b
  return {
    input: a.input + b.input,
    output: a.output + b.output,
    cacheRead: a.cacheRead + b.cacheRead,
    cacheWrite: a.cacheWrite + b.cacheWrite,
  }
}

/** The first one without the second. */
export function subtractUsage(a: Usage, b: Usage): Usage {
  return {
    input: a.input - b.input,
    output: a.output - b.output,
    cacheRead: a.cacheRead - b.cacheRead,
    cacheWrite: a.cacheWrite - b.cacheWrite,
  }
}

/** All texts in blocks, separated by empty lines, without thinking and tools. */
export function textOf(blocks: readonly Block[]): string {
  return blocks.flatMap((block) => (block.kind === 'text' ? [block.text] : [])).join('\n\n')
}

/** All tools in blocks. */
export function toolsOf(blocks: readonly Block[]): ToolCall[] {
  return blocks.flatMap((block) => (block.kind === 'tool' ? [block.call] : []))
}

/** The name of an item's speaker, for the person; `agent` is the agent's name. */
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
 * A transcript to be read, recorded or live. It changes in place; its source says when. An item stays the same object
 * as long as nothing about it changes.
 */
export interface ReadTranscript {
  readonly length: number
  at(index: number): Item | undefined
  /** The id of the item at a place, without making the item. */
  idAt(index: number): string | undefined
  /** The place of an item; -1 if it isn't shown. */
  indexOf(id: string): number
  /** The turn that the item at a place belongs to. */
  turnAt(index: number): Turn | undefined
  /** The other lines of the source, in order. */
  readonly others: readonly OtherLine[]
  readonly facts: SessionFacts
  readonly activity: Activity
  /** The items of a sub-agent. */
  agentItems(agent: string): readonly Item[]
}
