import type { SearchQuery, SkippedFiles } from '../../../shared/contract/search'
import type { Result } from '../../../shared/result'
import type { FoundHit } from './found-hit'

/** A search to be done: what, in which folders, and texts that stand in place of files. */
export interface SearchJob {
  query: SearchQuery
  /** Absolute real paths. A folder that lies in another one is searched once, by itself. */
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

/** A file with hits, complete. */
export interface FileHits {
  path: string
  isUnsaved: boolean
  hits: readonly FoundHit[]
}

/** What is heard while a search runs. `found` gives false when enough was found. */
export interface SearchEvents {
  found(file: FileHits): boolean
  skipped(what: keyof SkippedFiles): void
}

/** Searches folders until all is found, enough was found, or the signal is aborted. */
export type SearchFolders = (
  job: SearchJob,
  events: SearchEvents,
  signal: AbortSignal,
) => Promise<Result<unknown>>
