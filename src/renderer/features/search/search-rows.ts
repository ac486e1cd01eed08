import type { FoundFile, SearchHit } from '../../../shared/contract/search'
import { rowByKey } from '../../ui/layout/list-keys'

/** A row of the results: a file, or one of its hits. */
export type SearchRow =
  | { kind: 'file'; key: string; file: FoundFile; hits: readonly SearchHit[]; isOpen: boolean }
  | { kind: 'hit'; key: string; file: FoundFile; hit: SearchHit }

/** The rows of the results: files by folder and name, each followed by its hits, without those taken out. */
export function layOutResults(
  files: readonly FoundFile[],
  shut: ReadonlySet<string>,
  takenOut: ReadonlySet<number>,
): SearchRow[] {
  return [...files].sort(byPlace).flatMap((file): SearchRow[] => {
    const hits = takenOut.size === 0 ? file.hits : file.hits.filter(({ id }) => !takenOut.has(id))
    if (hits.length === 0) return []
    const isOpen = !shut.has(file.path)
    const head: SearchRow = { kind: 'file', key: file.path, file, hits, isOpen }
    if (!isOpen) return [head]
    return [head, ...hits.map((hit): SearchRow => ({ kind: 'hit', key: String(hit.id), file, hit }))]
  })
}

function byPlace(one: FoundFile, other: FoundFile): number {
  if (one.folder !== other.folder) return one.folder < other.folder ? -1 : 1
  return one.name < other.name ? -1 : one.name > other.name ? 1 : 0
}

/** The row that a key leads to, or the file it expands or collapses; null where it does nothing. */
export function moveInResults(
  key: string,
  rows: readonly SearchRow[],
  at: number,
  page: number,
): number | { toggle: string } | null {
  const last = rows.length - 1
  const to = rowByKey(key, at, last, page)
  if (to !== null) return to
  const row = rows[at]
  switch (key) {
    case 'ArrowRight':
      if (row?.kind !== 'file') return null
      return row.isOpen ? Math.min(last, at + 1) : { toggle: row.file.path }
    case 'ArrowLeft':
      if (row?.kind === 'file') return row.isOpen ? { toggle: row.file.path } : null
      return rows.findLastIndex((other, index) => index < at && other.kind === 'file')
    default:
      return null
  }
}
