import type { Listen } from '../../../shared/lifetime'
import type { Result } from '../../../shared/result'
import type { Opening, Proposal } from '../../../shared/review'
import type { WritingManner } from './writing-manner'

/**
 * What this dialect needs of the app. Positions are 0-based, characters in UTF-16 units, paths absolute; texts have
 * LF or the file's own ends, whichever the editor shows.
 */

/** A place in a text. */
export interface Place {
  line: number
  character: number
}

/** A stretch of text from `start` up to, not including, `end`. */
export interface Stretch {
  start: Place
  end: Place
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
  questionClosed?(origin: { connection: string; call: string }): void
}

/** What is selected, as agents may see it. */
export interface Selection extends Stretch {
  path: string
  /** The text between start and end; empty for a mere cursor. */
  text: string
}

/** A tab of the editor. */
export interface OpenEditor {
  path: string
  label: string
  languageId: string
  isActive: boolean
  isDirty: boolean
}

/** The editor of one window. */
export interface EditorPort {
  /**
   * Opens a file in a tab, and selects what `find` picks from its text. With `makeFrontmost` the tab becomes the
   * active one; never takes the focus from the terminal.
   */
  open(request: {
    path: string
    preview: boolean
    makeFrontmost: boolean
    find?: (text: string) => Stretch | undefined
  }): Promise<Result<{ languageId: string; lineCount: number }>>
  /** What is selected in the active editor; undefined where no editor is active. */
  currentSelection(): Promise<Selection | undefined>
  /** What was selected last, also when that editor is no longer active. */
  latestSelection(): Promise<Selection | undefined>
  /** The selection changed; undefined: it is gone. */
  onSelection: Listen<Selection | undefined>
  openEditors(): readonly OpenEditor[]
  /** Whether an open document has unsaved changes; undefined where the path is not open. */
  dirtyState(path: string): { isDirty: boolean; isUntitled: boolean } | undefined
  /** Saves an open document; undefined where the path is not open. */
  save(path: string): Promise<Result<void>> | undefined
  /** Closes the file tab of this name, unless it has unsaved changes. Nothing happens where there is none. */
  closeTab(label: string): Promise<void>
}

/** A folder of the window. */
export interface WorkspaceFolder {
  name: string
  path: string
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

/** The host's store of diagnostics. */
export interface DiagnosticsPort {
  /** Of one file (an entry without diagnostics where nothing is known of it), or of all. Answers within 400 ms. */
  diagnostics(path?: string): Promise<readonly FileDiagnostics[]>
}

/** What is known of a connection; it grows while the client introduces itself. */
export interface ConnectionFacts {
  id: string
  agent: string
  version?: string
  pid?: number
  /** Milliseconds since the epoch. */
  since: number
  /** How it writes; absent until its session file has shown it. */
  writing?: WritingManner
}

/** Where connections are shown and their frames logged. */
export interface ConnectionsPort {
  opened(facts: ConnectionFacts): ConnectionEntry
  /** An upgrade was refused; a sentence for the log. */
  refused(status: number, message: string): void
}

/** One shown connection. */
export interface ConnectionEntry {
  update(facts: ConnectionFacts): void
  /** `text` is only the beginning of a large frame; `bytes` is its whole size. */
  frame(direction: 'in' | 'out', text: string, bytes: number): void
  /** Something the person should know, as one sentence. */
  say(message: string): void
  closed(): void
}
