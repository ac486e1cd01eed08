import type { Listen } from '../../../shared/lifetime'

/** How git sees a folder at one moment: files not listed as unclean are as the commit has them. */
export interface FolderInGit {
  top: string
  /** Null where nothing is known from a commit. */
  commit: string | null
  /** Absolute paths. */
  unclean: string[]
}

/** What stood at a path, as a checkout would write it. */
export type CommittedFile = { kind: 'absent' } | { kind: 'file'; bytes: Uint8Array } | { kind: 'unknown' }

/** What this room needs of git. Nothing here throws; where git cannot tell, the answer is null or unknown. */
export interface ChangesGit {
  /** Null where the folder is in no repository. */
  look(folder: string): Promise<FolderInGit | null>
  ignored(folder: string, paths: readonly string[]): Promise<Set<string> | null>
  committed(
    at: Pick<FolderInGit, 'top' | 'commit'>,
    paths: readonly string[],
    sizeOf: (path: string) => number | undefined,
    maxBytes: number,
  ): Promise<Map<string, CommittedFile>>
  /** Those of some existing files that are for git what the commit has. */
  unchanged(at: Pick<FolderInGit, 'top' | 'commit'>, paths: readonly string[]): Promise<Set<string>>
}

/** An agent that is connected, or that runs in a terminal of its own. */
export interface PresentAgent {
  id: string
  /** As the person reads it. */
  name: string
  pid: number | null
  /**
   * When its terminal last put out something that was no answer to typing, in milliseconds since the epoch; null where
   * its terminal is not one of ours.
   */
  workedAt: number | null
  /** When its terminal was typed into last, in milliseconds since the epoch. */
  typedAt?: number | undefined
  /** It has put out nothing of its own since it was started, or since it was given a line. */
  silentSince?: 'start' | 'line' | undefined
  /** The connection of an agent in a terminal: by its id it was known until its terminal was found. */
  connection?: string | undefined
  /** It may work without putting out anything, so what its process does counts too. */
  mayBeQuiet: boolean
}

/** Who is here. */
export interface ChangesAgents {
  list(): PresentAgent[]
  onChange: Listen<void>
}

/** A change that is on disk already and was not agreed to. */
export interface WrittenChange {
  path: string
  /** The agent, where it is certain; else null. */
  agent: { id: string; name: string } | null
  title: string
  /** Null: there was no file. `unknown`: what stood there is not known, so it cannot be put back. */
  before: Uint8Array | null | 'unknown'
  /** Null: the file is gone. A large one is known by its hash. */
  after: Uint8Array | null | { hash: string; size: number }
}

/** What this room needs of reviews and of the writes that were agreed to. */
export interface ChangesReviews {
  /** A review of the path is under way and looks after the file itself. */
  isUnderReview(path: string): boolean
  /** Whether somebody had announced that the file would hold this; null for a file that is gone. */
  isExpected(path: string, hash: string | null): boolean
  /** Asks the person about a change after the fact. */
  open(change: WrittenChange): Promise<void>
}
