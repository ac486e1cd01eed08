import type { Seen } from '../../../shared/agent-view'
import type { SentItem } from '../../../shared/contract/context'
import type { WorkspaceFolder } from '../../../shared/contract/window'
import type { Listen } from '../../../shared/lifetime'
import type { Result } from '../../../shared/result'
import type { Opening, Proposal } from '../../../shared/review/proposal'
import type { ConnectionEntry, ConnectionFacts } from '../kit/connection'
import type { WritingManner } from './writing-manner'

/**
 * What this dialect needs of the app. Positions are 0-based, characters in UTF-16 units, paths absolute; texts have
 * LF or the file's own ends, whichever the editor shows.
 */

/** A place in a text. */
export interface TextPosition {
  line: number
  character: number
}

/** A stretch of text from `start` up to, not including, `end`. */
export interface Stretch {
  start: TextPosition
  end: TextPosition
}

/** Where proposed changes are reviewed. */
export interface ReviewPort {
  /**
   * Asks the person. Settles once, with the verdict or with a sentence on why the path cannot be reviewed.
   * `signal` aborts when nobody waits for the answer any more; its reason is a `WithdrawnReason`.
   */
  open(proposal: Proposal, signal: AbortSignal): Promise<Opening>
  /** The agent asked for this file's diagnostics, as it does around its own write: a good moment to look at the disk. */
  mayHaveBeenWritten?(path: string): void
  /** The agent has put away its own question of a call that was answered here: its prompt takes typing again. */
  questionClosed(origin: { connection: string; call: string }): void
}

/**
 * What agents may see of the editor, and the record of what they were given. Nothing of a file or a selection goes
 * out but what `seen` holds in the moment of sending.
 */
export interface ContextPort {
  seen(): Seen
  /** Has the page push what it has not sent, for at most 100 ms. */
  settle(): Promise<void>
  /** The seen selection changed. `atOnce`: by the person's word, or because its file was closed. */
  onSelection: Listen<{ atOnce: boolean }>
  /** Whether a path may be mentioned to agents. */
  mayMention(path: string): boolean
  /** A connection was really given something: by itself, or as an answer. */
  handed(to: { connection: string; agent: string }, how: 'told' | 'asked', item: SentItem): void
}

/** The editor of one window. Files that agents may not see are not open for any of it but `open`. */
export interface EditorPort {
  /**
   * Opens a file in a tab, and selects what `find` picks from its text. With `makeFrontmost` the tab becomes the
   * active one; never takes the focus from the terminal. Null: it is open, but agents may not know more about it.
   */
  open(request: {
    path: string
    preview: boolean
    makeFrontmost: boolean
    find?: (text: string) => Stretch | undefined
  }): Promise<Result<{ languageId: string; lineCount: number } | null>>
  /** Whether an open document has unsaved changes; undefined where the path is not open. */
  dirtyState(path: string): { isDirty: boolean; isUntitled: boolean } | undefined
  /** Saves an open document; undefined where the path is not open. */
  save(path: string): Promise<Result<void>> | undefined
  /** Closes the file tab of this name, if there is one without unsaved changes. */
  closeTab(label: string): Promise<void>
}

/** The folders of one window. */
export interface FoldersPort {
  folders(): readonly WorkspaceFolder[]
  onChange: Listen<void>
}

/** What a language server says of one file. */
export interface FileDiagnostics {
  path: string
  diagnostics: readonly (Stretch & {
    message: string
    severity: 'Error' | 'Warning' | 'Info' | 'Hint'
    source?: string
    code?: string | number
  })[]
}

/** The host's store of diagnostics, of files that agents may see. */
export interface DiagnosticsPort {
  /** Of one file (an entry without diagnostics where nothing is known of it), or of all. Answers within 400 ms. */
  diagnostics(path?: string): Promise<readonly FileDiagnostics[]>
}

/** What is known of a connection of Claude Code. */
export interface ClaudeFacts extends ConnectionFacts {
  /** How it writes; absent until its session file has shown it. */
  writing?: WritingManner
}

/** A connection of Claude Code, as it is shown. */
export interface ClaudeEntry extends ConnectionEntry<ClaudeFacts> {
  /** It begins a turn. */
  turn(): void
}

/** Where connections are shown and their frames logged. */
export interface ConnectionsPort {
  opened(facts: ClaudeFacts): ClaudeEntry
  /** An upgrade was refused; a sentence for the log. */
  refused(status: number, message: string): void
}

/** Everything that this dialect needs of the app. */
export interface ClaudeIdePorts {
  review: ReviewPort
  context: ContextPort
  editor: EditorPort
  folders: FoldersPort
  diagnostics: DiagnosticsPort
  connections: ConnectionsPort
}
