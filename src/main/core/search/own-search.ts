import type { SkippedFiles } from '../../../shared/contract/search'
import { type Result, succeed } from '../../../shared/result'
import { decodeText, restoreText } from '../../../shared/text/text-facts'
import { readBytesSync } from '../files/regular-file'
import { folderOf, isInScope, nestedFolders } from './folder-scope'
import { type GlobFilter, readGlobs } from './globs'
import type { SearchEvents, SearchJob } from './search-engine'
import { type FoundHit, compileQuery, describeHit, findSpans, linesOf } from './text-matcher'
import { walkFiles } from './walk-files'

/**
 * Searches without any other program, on the thread that calls it. In expressions \w, \d and \b know ASCII only;
 * everything else is as with ripgrep. `alive` is called between files.
 */
export function searchHere(job: SearchJob, events: SearchEvents, alive: () => void): Result<unknown> {
  const { query, folders, unsaved, leftOut } = job
  const compiled = compileQuery(query)
  if (!compiled.ok) return compiled
  const globs = readGlobs(query.include, query.exclude, leftOut)
  for (const { path, text } of unsaved) {
    if (!isUnsavedWanted(path, job, globs)) continue
    const hits = hitsIn(text, compiled.value)
    if (hits.length > 0 && !events.found({ path, isUnsaved: true, hits })) return succeed({})
    alive()
  }
  const known = new Set(unsaved.map(({ path }) => path))
  for (const folder of folders) {
    const skip = new Set([...nestedFolders(folder, folders), ...known])
    const walk = { folder, globs, withIgnored: query.withIgnored, skip }
    for (const path of walkFiles(walk, () => events.skipped('unreadable'))) {
      const read = readText(path)
      const hits = typeof read === 'string' ? [] : hitsIn(read.text, compiled.value)
      if (typeof read === 'string') events.skipped(read)
      else if (hits.length > 0 && read.isBinary) events.skipped('binary')
      else if (hits.length > 0 && !events.found({ path, isUnsaved: false, hits })) return succeed({})
      alive()
    }
  }
  return succeed({})
}

function isUnsavedWanted(path: string, { folders, query }: SearchJob, globs: GlobFilter): boolean {
  const folder = folderOf(path, folders)
  return folder !== undefined && isInScope(folder, path, globs, query.withIgnored)
}

function hitsIn(raw: string, expression: RegExp): FoundHit[] {
  return linesOf(raw).flatMap((line, number) =>
    findSpans(line, expression).map((span) => describeHit(number, line, span)),
  )
}

function readText(path: string): { text: string; isBinary: boolean } | keyof SkippedFiles {
  try {
    const bytes = readBytesSync(path)
    const decoded = decodeText(bytes)
    if (decoded.kind === 'binary')
      return { text: bytes.toString('utf8').replaceAll('\0', '\n'), isBinary: true }
    return { text: restoreText(decoded.text, { ...decoded.facts, bom: false }), isBinary: false }
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'ENOENT' ? 'vanished' : 'unreadable'
  }
}
