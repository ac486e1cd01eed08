import type { SearchQuery, SkippedFiles } from '../../../shared/contract/search'
import type { Result } from '../../../shared/result'
import type { FoundHit } from './found-hit'

/** A search: for what, in which folders, and texts that replace files. */
export interface SearchJob {
  query: SearchQuery
  /** Absolute real paths. A folder inside another one is searched once, separately. */
  folders: readonly string[]
  unsaved: readonly UnsavedText[]
  /** Globs of files that are never searched here. */
  leftOut: readonly string[]
}

/** The text of an open file that is not on disk yet. */
export interface UnsavedText {
  path: string
  text: string
}

/** A file with all its hits. */
export interface FileHits {
  path: string
  isUnsaved: boolean
  hits: readonly FoundHit[]
}

/** Called while a search runs. `found` returns false once enough was found. */
export interface SearchEvents {
  found(file: FileHits): boolean
  skipped(what: keyof SkippedFiles): void
}

/** Searches folders until everything or enough was found, or the signal is aborted. */
export type SearchFolders = (
  job: SearchJob,
  events: SearchEvents,
  signal: AbortSignal,
) => Promise<Result<unknown>>
