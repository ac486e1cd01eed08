import type { Listen } from '../../../shared/lifetime'

/** How git sees a folder at one moment: files not listed as unclean are as in the commit. */
export interface FolderInGit {
  top: string
  /** Null if nothing is known from a commit. */
  commit: string | null
  /** Absolute paths. */
  unclean: string[]
}

/** What was at a path, as a checkout would write it. */
export type CommittedFile = { kind: 'absent' } | { kind: 'file'; bytes: Uint8Array } | { kind: 'unknown' }

/** What this room needs of git. Nothing here throws; if git can't tell, the answer is null or unknown. */
export interface ChangesGit {
  /** Null if the folder is in no repository. */
  look(folder: string): Promise<FolderInGit | null>
  ignored(folder: string, paths: readonly string[]): Promise<Set<string> | null>
  committed(
    at: Pick<FolderInGit, 'top' | 'commit'>,
    paths: readonly string[],
    sizeOf: (path: string) => number | undefined,
    maxBytes: number,
  ): Promise<Map<string, CommittedFile>>
  /** Which of some existing files git regards as unchanged since the commit. */
  unchanged(at: Pick<FolderInGit, 'top' | 'commit'>, paths: readonly string[]): Promise<Set<string>>
}

/** An agent that is connected, or runs in one of our terminals. */
export interface PresentAgent {
  id: string
  /** As the person reads it. */
  name: string
  pid: number | null
  /**
   * When it last worked, in milliseconds since the epoch: by its own word, or when its terminal last put out something
   * that wasn't an echo of typing. Null if it says nothing and its terminal isn't one of ours.
   */
  workedAt: number | null
  /** The command that it says it is running; null or absent if it doesn't say. */
  command?: string | null | undefined
  /** When its terminal was last typed into, in milliseconds since the epoch. */
  typedAt?: number | undefined
  /** It has put out nothing of its own since it was started, or since it was given a line. */
  silentSince?: 'start' | 'line' | undefined
  /** For an agent in a terminal: its connection, by whose id it was known until the terminal was found. */
  connection?: string | undefined
  /** It may work without putting out anything, so its process's work counts too. */
  mayBeQuiet: boolean
}

export interface ChangesAgents {
  list(): PresentAgent[]
  onChange: Listen<void>
}

/** The agent whose turn it was, if there was only one. */
export interface CertainAgent {
  id: string
  name: string
  /** The command that it ran, if it said so. */
  command?: string
}

/** A change that is already on disk and wasn't agreed to. */
export interface WrittenChange {
  path: string
  agent: CertainAgent | null
  title: string
  /** Null: there was no file. `unknown`: what it held isn't known, so it can't be put back. */
  before: Uint8Array | null | 'unknown'
  /** Null: the file is gone. A large one is known by its hash. */
  after: Uint8Array | null | { hash: string; size: number }
}

/** What this room needs of reviews and of agreed writes. */
export interface ChangesReviews {
  /** Whether an open review of the path watches the file itself. */
  isUnderReview(path: string): boolean
  /** Whether somebody announced that the file would hold this; null: that it would be gone. */
  isExpected(path: string, hash: string | null): boolean
  /**
   * Asks the person about a change after the fact. The review's id; null if one of the path is under way, which watches
   * it.
   */
  open(change: WrittenChange): Promise<string | null>
}
