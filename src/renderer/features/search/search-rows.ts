import type { FoundFile, SearchHit } from '../../../shared/contract/search'

/** A line of the results: a file, or one of its hits. */
export type SearchRow =
  | { kind: 'file'; key: string; file: FoundFile; hits: readonly SearchHit[]; isOpen: boolean }
  | { kind: 'hit'; key: string; file: FoundFile; hit: SearchHit }

/** The lines of the results: files by their folders and names, their hits under them, without what was taken out. */
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

/** Where a key leads in the results; null for a key that leads nowhere. */
export function moveInResults(
  key: string,
  rows: readonly SearchRow[],
  at: number,
  page: number,
): number | { toggle: string } | null {
  const row = rows[at]
  const last = rows.length - 1
  switch (key) {
    case 'ArrowDown':
      return Math.min(last, at + 1)
    case 'ArrowUp':
      return Math.max(0, at - 1)
    case 'PageDown':
      return Math.min(last, at + page)
    case 'PageUp':
      return Math.max(0, at - page)
    case 'Home':
      return 0
    case 'End':
      return last
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
