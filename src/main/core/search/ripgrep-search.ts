import { existsSync } from 'node:fs'
import { join, sep } from 'node:path'
import type { SearchQuery } from '../../../shared/contract/search'
import { type Result, fail, succeed } from '../../../shared/result'
import { type RipgrepEnd, noRipgrep, runRipgrep } from '../platform/ripgrep'
import { folderOf, nestedFolders, withinFolder } from './folder-scope'
import { type GlobFilter, readGlobs } from './globs'
import { listFiles, scopeArguments, skippedBy, withIncludes } from './ripgrep-files'
import { RipgrepOutput } from './ripgrep-output'
import type { SearchEvents, SearchJob, UnsavedText } from './search-job'

/** Searches with ripgrep. Fails as `no-program` if it can't be started, `invalid` if it refuses the query. */
export function searchFolders(
  program: string,
  job: SearchJob,
  events: SearchEvents,
  signal: AbortSignal,
): Promise<Result<unknown>> {
  const globs = readGlobs(job.query.include, job.query.exclude, job.leftOut)
  return withIncludes(globs, async (rules) => {
    const search = new Search({ program, job, globs, rules, events, signal })
    const [unsaved, files] = await Promise.all([search.unsaved(), search.files()])
    return unsaved.ok ? files : unsaved
  })
}

interface Given {
  program: string
  job: SearchJob
  globs: GlobFilter
  /** A file of ignore rules; null for none. */
  rules: string | null
  events: SearchEvents
  signal: AbortSignal
}

/** One search under way. */
class Search {
  readonly #given: Given
  #isOver = false

  constructor(given: Given) {
    this.#given = given
  }

  /**
   * Searches the texts that are not on disk. ripgrep reads them as its input, so that they are searched the same way.
   */
  async unsaved(): Promise<Result<unknown>> {
    const { folders, unsaved } = this.#given.job
    for (const folder of folders) {
      const texts = unsaved.filter(({ path }) => folderOf(path, folders) === folder)
      const wanted = await this.#inScope(folder, texts)
      if (wanted === null) return noRipgrep
      for (const { path, text } of wanted) {
        if (this.#isOver) break
        const done = await this.#search(folder, ['--', '-'], text, () => ({ path, isUnsaved: true }))
        if (!done.ok) return done
      }
    }
    return succeed({})
  }

  async files(): Promise<Result<unknown>> {
    const known = new Set(this.#given.job.unsaved.map(({ path }) => path))
    for (const folder of this.#given.job.folders) {
      if (this.#isOver) break
      const done = await this.#search(folder, [...this.#scope(folder), '--', './'], undefined, (found) => {
        const path = join(folder, found)
        return !known.has(path) && this.#isIncluded(folder, path) ? { path, isUnsaved: false } : null
      })
      if (!done.ok) return done
    }
    return succeed({})
  }

  /**
   * Those texts whose files ripgrep would search, and those whose files are gone, if the patterns allow it; null if
   * ripgrep doesn't start.
   */
  async #inScope(folder: string, texts: readonly UnsavedText[]): Promise<readonly UnsavedText[] | null> {
    const included = texts.filter(({ path }) => this.#isIncluded(folder, path))
    if (included.length === 0) return []
    const listed = await listFiles(
      this.#given.program,
      folder,
      this.#scope(folder),
      Infinity,
      this.#given.signal,
    )
    if (listed === null) return null
    const names = Buffer.concat([Buffer.of(0), listed.names])
    return included.filter(({ path }) => {
      const name = withinFolder(folder, path).replaceAll('/', sep)
      return names.includes(`\0${name}\0`) || !existsSync(path)
    })
  }

  /** The arguments that select files in a folder, without other folders inside it that are searched themselves. */
  #scope(folder: string): string[] {
    const { folders, query } = this.#given.job
    const inner = [...nestedFolders(folder, folders)].flatMap((path) => [
      '--glob',
      `!/${escapeGlob(withinFolder(folder, path))}`,
    ])
    return [...scopeArguments(folder, this.#given.globs, query.withIgnored, this.#given.rules), ...inner]
  }

  /** Checked again for what ripgrep finds: an exception in a .gitignore brings back what the patterns leave out. */
  #isIncluded(folder: string, path: string): boolean {
    return this.#given.globs.has(withinFolder(folder, path))
  }

  async #search(
    folder: string,
    where: readonly string[],
    input: string | undefined,
    fileOf: (path: string) => { path: string; isUnsaved: boolean } | null,
  ): Promise<Result<unknown>> {
    const { query } = this.#given.job
    const output = new RipgrepOutput(({ path, hits, isBinary, hasLongLine }) => {
      const file = path === null || this.#isOver ? null : fileOf(path)
      if (!file) return
      if (hasLongLine) this.#given.events.skipped('longLines')
      if (isBinary) this.#given.events.skipped('binary')
      else if (hits.length > 0 && !this.#given.events.found({ ...file, hits })) this.#isOver = true
    })
    const end = await runRipgrep({
      program: this.#given.program,
      folder,
      args: [...queryArguments(query), ...where],
      ...(input === undefined ? {} : { input }),
      output: (piece) => {
        output.take(piece)
        return !this.#isOver
      },
      signal: this.#given.signal,
    })
    if (!end.isStarted) return noRipgrep
    for (const complaint of end.complaints) {
      const skipped = skippedBy(complaint)
      if (skipped) this.#given.events.skipped(skipped)
    }
    if (this.#isOver || this.#given.signal.aborted || output.isComplete) return succeed({})
    return refusal(query, end)
  }
}

function queryArguments(query: SearchQuery): string[] {
  return [
    // Binary files are searched too, so that the person can be told that they were left out.
    ...['--json', '--crlf', '--binary'],
    query.isCaseSensitive ? '--case-sensitive' : '--ignore-case',
    ...(query.isWholeWord ? ['--word-regexp'] : []),
    ...(query.isRegex ? [] : ['--fixed-strings']),
    ...['--regexp', query.text],
  ]
}

/** Why ripgrep refused to search, as a failure with a sentence. */
function refusal(query: SearchQuery, { complaints }: RipgrepEnd) {
  const all = complaints.join('\n')
  if (/error parsing glob|invalid glob/i.test(all)) {
    return fail('invalid', 'A pattern in “include” or “exclude” isn’t valid. Check its brackets.')
  }
  if (!query.isRegex) return fail('failed', 'The search failed. Try again.')
  const reason = /^error: (.{1,200})$/m.exec(all)?.[1]
  const why = reason === undefined ? '' : `: ${reason}`
  return fail('invalid', `This isn’t a valid regular expression${why}. Fix it, or search for plain text.`)
}

function escapeGlob(path: string): string {
  return path.replaceAll(/[*?[\]{}!\\]/g, '\\$&')
}
