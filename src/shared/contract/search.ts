import { z } from 'zod'
import { defineCall, defineTopic, nothing, path, resultOf } from './define'

/** What to search for, and where. `include` and `exclude` are globs separated by commas; empty: everywhere. */
export const searchQuery = z.object({
  text: z.string().min(1).max(10_000),
  isRegex: z.boolean(),
  isCaseSensitive: z.boolean(),
  isWholeWord: z.boolean(),
  include: z.string().max(4096),
  exclude: z.string().max(4096),
  /** Also in files ignored by git. */
  withIgnored: z.boolean(),
})
export type SearchQuery = z.infer<typeof searchQuery>

/** One place that was found. Lines and columns count from 0, columns in UTF-16 units; `to` is exclusive. */
export const searchHit = z.object({
  id: z.number().int(),
  line: z.number().int(),
  from: z.number().int(),
  to: z.number().int(),
  /** The rest of its line, cut if it is long. */
  before: z.string(),
  match: z.string(),
  after: z.string(),
  /** The match is longer than what is shown of it. */
  isCut: z.boolean(),
})
export type SearchHit = z.infer<typeof searchHit>

/** A file in which something was found. */
export const foundFile = z.object({
  path,
  name: z.string(),
  /** The folder, as shown to the person; empty for the top of the only folder. */
  folder: z.string(),
  /** Its unsaved text was searched instead of the file. */
  isUnsaved: z.boolean(),
  hits: z.array(searchHit),
})
export type FoundFile = z.infer<typeof foundFile>

/** How many files couldn't be searched, by the reason. */
const skipped = z.object({
  binary: z.number().int(),
  unreadable: z.number().int(),
  vanished: z.number().int(),
  /** Lines too long to show; some of their hits may be missing. */
  longLines: z.number().int(),
})
export type SkippedFiles = z.infer<typeof skipped>

/** The window's current or last search. */
export const searchState = z.object({
  /** Counts this window's searches; hits belong to one of them. */
  run: z.number().int(),
  query: searchQuery.nullable(),
  phase: z.enum(['none', 'running', 'done', 'cancelled', 'failed']),
  /** Why it failed, as a sentence. */
  problem: z.string().nullable(),
  hits: z.number().int(),
  /** There are more hits than are kept. */
  isCut: z.boolean(),
  skipped,
  files: z.array(foundFile),
})
export type SearchState = z.infer<typeof searchState>

/** A file in the window's folders that matches what was typed. */
const fittingFile = z.object({
  path,
  /** The path, as shown to the person, with `/`; `marks` are indexes in it. */
  text: z.string(),
  marks: z.array(z.number().int()),
  isRecent: z.boolean(),
})
export type FittingFile = z.infer<typeof fittingFile>

const fileList = z.object({ generation: z.number().int(), isListing: z.boolean() })
const hitIds = z.array(z.number().int()).max(10_000)

export const searchCalls = {
  /** Begins a search and ends the one before. */
  'search.start': defineCall(searchQuery, z.object({ run: z.number().int() })),
  'search.cancel': defineCall(nothing, nothing),
  /** What these hits would be replaced with; null for a hit where that isn't known. */
  'search.expand': defineCall(
    z.object({ run: z.number().int(), replacement: z.string().max(10_000), hits: hitIds.max(500) }),
    resultOf(z.object({ texts: z.array(z.string().nullable()) })),
  ),
  /**
   * Proposes a change to each of these files, with all hits replaced except those left out. Nothing is written before
   * the person accepts. `told` says what couldn't be proposed, a sentence for each reason.
   */
  'search.replace': defineCall(
    z.object({
      run: z.number().int(),
      replacement: z.string().max(10_000),
      files: z.array(path).max(10_000),
      leftOut: hitIds,
    }),
    resultOf(z.object({ proposed: z.number().int(), told: z.array(z.string()) })),
  ),
  /**
   * Files whose path has the letters typed: recently opened ones first, then the best matches. `refresh` lists the
   * files again; until that is done the old list is used.
   */
  'search.files': defineCall(
    z.object({ typed: z.string().max(1000), withIgnored: z.boolean(), refresh: z.boolean() }),
    resultOf(z.object({ files: z.array(fittingFile), count: z.number().int(), isWhole: z.boolean() })),
  ),
}

export const searchTopics = {
  /** This window's search. A delta's files are added to the others, unless its `run` is a new one. */
  search: defineTopic(nothing, searchState, searchState.partial()),
  /** How often the list of files has been renewed, and whether it is being renewed now. */
  fileList: defineTopic(nothing, fileList, fileList),
}
