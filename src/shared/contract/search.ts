import { z } from 'zod'
import { defineCall, defineTopic, nothing, path, resultOf } from './define'

/** What is searched, and where. `include` and `exclude` are globs with commas between them; empty: everywhere. */
export const searchQuery = z.object({
  text: z.string().min(1).max(10_000),
  isRegex: z.boolean(),
  isCaseSensitive: z.boolean(),
  isWholeWord: z.boolean(),
  include: z.string().max(4096),
  exclude: z.string().max(4096),
  /** Also in files that .gitignore names. */
  withIgnored: z.boolean(),
})
export type SearchQuery = z.infer<typeof searchQuery>

/** One place that was found. `line` and the columns count from 0, columns in UTF-16 units, `to` is behind the last. */
export const searchHit = z.object({
  id: z.number().int(),
  line: z.number().int(),
  from: z.number().int(),
  to: z.number().int(),
  /** The line around it, cut where it is long. */
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
  /** The folder as the person reads it; empty for one that lies in the window's only folder itself. */
  folder: z.string(),
  /** Its unsaved text was searched instead of the file. */
  isUnsaved: z.boolean(),
  hits: z.array(searchHit),
})
export type FoundFile = z.infer<typeof foundFile>

/** Files that could not be searched, by what was in the way. */
const skipped = z.object({
  binary: z.number().int(),
  unreadable: z.number().int(),
  vanished: z.number().int(),
  /** Lines that are too long to show; some of their hits may be missing. */
  longLines: z.number().int(),
})
export type SkippedFiles = z.infer<typeof skipped>

/** A search of the window's folders: the one that runs, or the last one. */
export const searchState = z.object({
  /** Counts the searches of this window; hits belong to one of them. */
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

/** A file of the window's folders that fits what was typed. */
const fittingFile = z.object({
  path,
  /** The path as the person reads it, with `/`; `marks` are places in it. */
  text: z.string(),
  marks: z.array(z.number().int()),
  isRecent: z.boolean(),
})
export type FittingFile = z.infer<typeof fittingFile>

const fileList = z.object({ generation: z.number().int(), isListing: z.boolean() })
const hitIds = z.array(z.number().int()).max(10_000)

export const searchCalls = {
  /** Begins a search; the one before ends. */
  'search.start': defineCall(searchQuery, z.object({ run: z.number().int() })),
  'search.cancel': defineCall(nothing, nothing),
  /** What stands in place of these hits after a replacement; null where that cannot be said. */
  'search.expand': defineCall(
    z.object({ run: z.number().int(), replacement: z.string().max(10_000), hits: hitIds.max(500) }),
    resultOf(z.object({ texts: z.array(z.string().nullable()) })),
  ),
  /**
   * Proposes a change of each of these files, with their hits replaced, but for those left out. Nothing is written
   * before the person accepts. `told` says what could not be proposed, a sentence for each reason.
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
   * Files whose path has the letters typed, the best first; recently opened ones before the others. `refresh` looks
   * for files anew; what is known already answers meanwhile.
   */
  'search.files': defineCall(
    z.object({ typed: z.string().max(1000), withIgnored: z.boolean(), refresh: z.boolean() }),
    resultOf(z.object({ files: z.array(fittingFile), count: z.number().int(), isWhole: z.boolean() })),
  ),
}

export const searchTopics = {
  /** The search of this window. A delta's files come to those that are there already, unless `run` is another one. */
  search: defineTopic(nothing, searchState, searchState.partial()),
  /** Counts how often the list of files was renewed, and whether it is being made now. */
  fileList: defineTopic(nothing, fileList, fileList),
}
