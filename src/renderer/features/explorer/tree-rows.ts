import type { DirectoryState, FileEntry } from '../../../shared/contract/files'
import type { Mirrored } from '../../state/host/mirror'
import { rowByKey } from '../../ui/layout/list-keys'

/** A line of the tree: a file or folder, the name field of a new one, or a sentence in place of content. */
export type TreeRow =
  | {
      kind: 'entry'
      entry: FileEntry
      level: number
      /** Null for what can't be expanded. */
      expanded: boolean | null
      position: number
      siblings: number
    }
  | { kind: 'draft'; folder: string; level: number; what: 'file' | 'folder' }
  | { kind: 'sentence'; folder: string; level: number; text: string; tone: 'plain' | 'error' }

/** The content of the expanded folders, as far as it is known. */
export type Directories = ReadonlyMap<string, Mirrored<DirectoryState>>

/** A root of the tree. */
export interface TreeRoot {
  path: string
  name: string
}

/**
 * The visible lines, from top to bottom. A single root has no line of its own, several have one each. `wanted` is every
 * folder whose content is needed. A `draft` adds a field for a new name at the top of its folder.
 */
export function layOutTree(
  roots: readonly TreeRoot[],
  expanded: ReadonlySet<string>,
  directories: Directories,
  draft: { folder: string; what: 'file' | 'folder' } | null = null,
): { rows: TreeRow[]; wanted: Set<string> } {
  const rows: TreeRow[] = []
  const wanted = new Set<string>()

  const addContent = (folder: string, level: number) => {
    wanted.add(folder)
    const isDrafted = draft?.folder === folder
    if (isDrafted) rows.push({ kind: 'draft', folder, level, what: draft.what })
    const state = directories.get(folder)
    const say = (text: string, tone: 'plain' | 'error' = 'plain') =>
      rows.push({ kind: 'sentence', folder, level, text, tone })
    if (!state || state.kind === 'waiting') return
    if (state.kind === 'refused') {
      say('This folder can’t be shown. Close it and open it again.', 'error')
      return
    }
    if (state.data.kind === 'failed') {
      say(state.data.failure.message, 'error')
      return
    }
    const { entries, total, truncated } = state.data
    if (entries.length === 0 && !isDrafted) say('Empty')
    for (const [index, entry] of entries.entries()) addEntry(entry, level, index + 1, total)
    if (total > entries.length) say(`Reading ${total - entries.length} more …`)
    else if (truncated) say(`Only the first ${entries.length} are shown.`)
  }

  const addEntry = (entry: FileEntry, level: number, position: number, siblings: number) => {
    const isOpen = entry.kind === 'folder' ? expanded.has(entry.path) : null
    rows.push({ kind: 'entry', entry, level, expanded: isOpen, position, siblings })
    if (isOpen) addContent(entry.path, level + 1)
  }

  const [only] = roots
  if (only && roots.length === 1) addContent(only.path, 1)
  else {
    for (const [index, root] of roots.entries()) {
      const entry: FileEntry = { name: root.name, path: root.path, kind: 'folder', symlink: false }
      addEntry(entry, 1, index + 1, roots.length)
    }
  }
  return { rows, wanted }
}

/** The folders from a root down to a path, the root first and the path left out; null where no root holds it. */
export function foldersAbove(path: string, roots: readonly TreeRoot[], separator: string): string[] | null {
  const root = roots
    .filter(({ path: top }) => path.startsWith(top.endsWith(separator) ? top : top + separator))
    .toSorted((one, other) => other.path.length - one.path.length)[0]
  if (!root) return null
  const folders = [root.path]
  const base = root.path.endsWith(separator) ? root.path : root.path + separator
  for (let at = path.indexOf(separator, base.length); at > 0; at = path.indexOf(separator, at + 1)) {
    folders.push(path.slice(0, at))
  }
  return folders
}

/** What a key does in the tree: go to another row, or expand or collapse a folder. */
type TreeMove = { kind: 'go'; row: number } | { kind: 'expand' | 'collapse'; path: string }

/** What an arrow, Home, End or page key does from a row; null where it does nothing. A page has `page` rows. */
export function moveInTree(key: string, rows: readonly TreeRow[], at: number, page: number): TreeMove | null {
  if (rows.length === 0) return null
  const to = rowByKey(key, at, rows.length - 1, page)
  if (to !== null) return { kind: 'go', row: to }
  const row = rows[at]
  switch (key) {
    case 'ArrowRight':
      if (row?.kind !== 'entry' || row.expanded === null) return null
      if (!row.expanded) return { kind: 'expand', path: row.entry.path }
      return (rows[at + 1]?.level ?? 0) > row.level ? { kind: 'go', row: at + 1 } : null
    case 'ArrowLeft': {
      if (row?.kind === 'entry' && row.expanded) return { kind: 'collapse', path: row.entry.path }
      const parent = rows.findLastIndex((other, index) => index < at && other.level < (row?.level ?? 0))
      return parent < 0 ? null : { kind: 'go', row: parent }
    }
    default:
      return null
  }
}

/** The next row whose name begins with what was typed; the row `at` itself counts from the second letter on. */
export function findByTyping(rows: readonly TreeRow[], at: number, typed: string): number | null {
  const wanted = typed.toLocaleLowerCase()
  const start = typed.length > 1 ? at : at + 1
  for (let step = 0; step < rows.length; step++) {
    const index = (start + step) % rows.length
    const row = rows[index]
    if (row?.kind === 'entry' && row.entry.name.toLocaleLowerCase().startsWith(wanted)) return index
  }
  return null
}
