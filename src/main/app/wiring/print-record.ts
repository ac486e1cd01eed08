import { howDecided } from '../../../shared/review/decided-words'
import { resolveRealPath } from '../../core/files/real-path'
import type { KeptReview } from '../../core/review/journal-format'
import { keptFolderOf, newestFirst, readKept, readKeptText } from '../../core/review/record/kept-folder'
import { type EntryAnywhere, WriteRecord } from '../../core/review/record/write-record'

/**
 * The record of writes in a data directory, as lines to print, the newest first; whether an app has the directory or not.
 * `path`: of this file or folder alone. A table is one line long if there is nothing.
 */
export async function* printRecord(
  directory: string,
  path: string | null,
  output: { kind: 'table' } | { kind: 'json'; texts: boolean },
): AsyncGenerator<string> {
  const folder = keptFolderOf(directory)
  const all: KeptReview[] = []
  for await (const found of readKept(folder)) if (found.kind === 'kept') all.push(found.kept)
  all.sort(newestFirst)
  const record = new WriteRecord({
    folder,
    all: () => Promise.resolve(all),
    text: (kept, name) => readKeptText(folder, kept, name),
    ripgrep: () => Promise.resolve(null),
  })
  const real = path === null ? undefined : await resolveRealPath(path)
  if (output.kind === 'json') {
    for await (const { line } of record.lines({ path: real, texts: output.texts })) yield line
    return
  }
  const entries = await record.list(real)
  if (entries.length === 0)
    yield path === null ? 'No writes are on record.' : `No writes are on record for ${plain(path)}.`
  yield* tableOf(entries)
}

function* tableOf(entries: readonly EntryAnywhere[]): Generator<string> {
  const rows = entries.map((entry) => [
    timeOf(entry.at),
    plain(entry.agent),
    plain(howDecided(entry)),
    entry.addedLines === undefined ? '' : `+${entry.addedLines} −${entry.removedLines ?? 0}`,
    plain(entry.path),
  ])
  const widths = [0, 1, 2, 3].map((at) => Math.max(...rows.map((row) => row[at]?.length ?? 0)))
  for (const row of rows) yield row.map((cell, at) => cell.padEnd(widths[at] ?? 0)).join('  ')
}

/** A local time to the minute. */
function timeOf(at: number): string {
  const date = new Date(at)
  const two = (value: number) => String(value).padStart(2, '0')
  const day = `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`
  return `${day} ${two(date.getHours())}:${two(date.getMinutes())}`
}

/** Without what a terminal would obey. */
function plain(text: string): string {
  return text.replaceAll(/\p{Cc}/gu, '?')
}
