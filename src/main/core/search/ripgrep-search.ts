import { join } from 'node:path'
import type { SearchQuery } from '../../../shared/contract/search'
import { type Result, fail, succeed } from '../../../shared/result'
import { type RipgrepEnd, runRipgrep } from '../platform/ripgrep'
import { folderOf, isInScope, nestedFolders, withinFolder } from './folder-scope'
import { type GlobFilter, readGlobs } from './globs'
import { RipgrepOutput } from './ripgrep-output'
import { scopeArguments, skippedBy, withIncludes } from './ripgrep-process'
import type { SearchEngine, SearchEvents, SearchJob } from './search-engine'

/** Searches with ripgrep. Fails as `no-program` where it cannot be started, `invalid` where it refuses the query. */
export class RipgrepSearch implements SearchEngine {
  readonly #program: string

  constructor(program: string) {
    this.#program = program
  }

  async run(job: SearchJob, events: SearchEvents, signal: AbortSignal): Promise<Result<unknown>> {
    const { query, folders } = job
    const globs = readGlobs(query.include, query.exclude, job.leftOut)
    const search = new Search(this.#program, job, globs, events, signal)
    const unsaved = await search.inUnsaved()
    if (!unsaved.ok) return unsaved
    return withIncludes(globs, async (rules) => {
      for (const folder of folders) {
        if (search.isOver) break
        const searched = await search.inFolder(folder, rules)
        if (!searched.ok) return searched
      }
      return succeed({})
    })
  }
}

/** One search under way. */
class Search {
  isOver = false
  readonly #program: string
  readonly #job: SearchJob
  readonly #globs: GlobFilter
  readonly #events: SearchEvents
  readonly #signal: AbortSignal

  constructor(program: string, job: SearchJob, globs: GlobFilter, events: SearchEvents, signal: AbortSignal) {
    this.#program = program
    this.#job = job
    this.#globs = globs
    this.#events = events
    this.#signal = signal
  }

  /** The texts that are not on disk: ripgrep reads them as its input, so that they are searched in the same way. */
  async inUnsaved(): Promise<Result<unknown>> {
    const { unsaved, folders, query } = this.#job
    for (const { path, text } of unsaved) {
      const folder = folderOf(path, folders)
      if (folder === undefined || this.isOver) continue
      if (!isInScope(folder, path, this.#globs, query.withIgnored)) continue
      const done = await this.#search(folder, ['--', '-'], text, () => ({ path, isUnsaved: true }))
      if (!done.ok) return done
    }
    return succeed({})
  }

  async inFolder(folder: string, rules: string | null): Promise<Result<unknown>> {
    const { folders, unsaved, query } = this.#job
    const nested = nestedFolders(folder, folders)
    const known = new Set(unsaved.map(({ path }) => path))
    const scope = scopeArguments(folder, this.#globs, query.withIgnored, rules)
    // What lies in a folder that is searched by itself is left out there and then.
    const inner = [...nested].flatMap((path) => ['--glob', `!/${escapeGlob(withinFolder(folder, path))}`])
    return this.#search(folder, [...scope, ...inner, '--', './'], undefined, (found) => {
      const path = join(folder, found)
      const isWanted = !known.has(path) && this.#globs.has(withinFolder(folder, path))
      return isWanted ? { path, isUnsaved: false } : null
    })
  }

  async #search(
    folder: string,
    where: readonly string[],
    input: string | undefined,
    fileOf: (path: string) => { path: string; isUnsaved: boolean } | null,
  ): Promise<Result<unknown>> {
    const { query } = this.#job
    const output = new RipgrepOutput(({ path, hits, isBinary, hasLongLine }) => {
      const file = path === null || this.isOver ? null : fileOf(path)
      if (!file) return
      if (hasLongLine) this.#events.skipped('longLines')
      if (isBinary) this.#events.skipped('binary')
      else if (hits.length > 0 && !this.#events.found({ ...file, hits })) this.isOver = true
    })
    const end = await runRipgrep({
      program: this.#program,
      folder,
      args: [...queryArguments(query), ...where],
      ...(input === undefined ? {} : { input }),
      output: (piece) => {
        output.take(piece)
        return !this.isOver
      },
      signal: this.#signal,
    })
    if (!end.isStarted) return fail('no-program', 'ripgrep could not be started.')
    for (const complaint of end.complaints) {
      const skipped = skippedBy(complaint)
      if (skipped) this.#events.skipped(skipped)
    }
    if (this.isOver || this.#signal.aborted || output.isComplete) return succeed({})
    return refusal(query, end)
  }
}

function queryArguments(query: SearchQuery): string[] {
  return [
    // Files that are no text are searched too, so that it can be told that they were left out.
    ...['--json', '--crlf', '--binary'],
    query.isCaseSensitive ? '--case-sensitive' : '--ignore-case',
    ...(query.isWholeWord ? ['--word-regexp'] : []),
    ...(query.isRegex ? [] : ['--fixed-strings']),
    ...['--regexp', query.text],
  ]
}

/** Why ripgrep did not search at all, in words. */
function refusal(query: SearchQuery, { complaints }: RipgrepEnd) {
  const all = complaints.join('\n')
  if (/error parsing glob|invalid glob/i.test(all)) {
    return fail('invalid', 'A pattern of the files to include or exclude is not valid. Look at its brackets.')
  }
  if (!query.isRegex) return fail('failed', 'The search could not be done. Try again.')
  const reason = /^error: (.{1,200})$/m.exec(all)?.[1]
  const why = reason === undefined ? '' : `: ${reason}`
  return fail(
    'invalid',
    `This is not a valid regular expression${why}. Mend it, or search for the plain text instead.`,
  )
}

function escapeGlob(path: string): string {
  return path.replaceAll(/[*?[\]{}!\\]/g, '\\$&')
}
