import type { DirectoryState, FileEntry } from '../../../shared/contract/files'
import type { Mirrored } from '../../state/host/mirror'

/** One line of the tree: a file or folder, the field for the name of a new one, or a sentence in place of content. */
export type TreeRow =
  | {
      kind: 'entry'
      entry: FileEntry
      level: number
      /** Null for what cannot be opened up. */
      expanded: boolean | null
      position: number
      siblings: number
    }
  | { kind: 'draft'; folder: string; level: number; what: 'file' | 'folder' }
  | { kind: 'sentence'; folder: string; level: number; text: string; tone: 'plain' | 'error' }

/** What the tree knows of the folders that are open. */
export type Directories = ReadonlyMap<string, Mirrored<DirectoryState>>

/** A root of the tree. */
export interface TreeRoot {
  path: string
  name: string
}

/**
 * The visible lines, from top to bottom. One root shows its content alone, several have a line each. `wanted` takes
 * up every folder whose content is needed for it. With a `draft` its folder has a field for a new name on top.
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

/** The folders from a root down to a path, the root first, the path itself not; null where no root holds it. */
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

/** Where a key leads in the tree: to another row, or to an open or shut folder. Null where it does nothing. */
export type TreeMove = { kind: 'go'; row: number } | { kind: 'expand' | 'collapse'; path: string }

/** What an arrow, Home, End or page key does from a row. `page` is how many rows are visible. */
export function moveInTree(key: string, rows: readonly TreeRow[], at: number, page: number): TreeMove | null {
  const go = (row: number): TreeMove | null => {
    const to = Math.max(0, Math.min(rows.length - 1, row))
    return rows.length === 0 ? null : { kind: 'go', row: to }
  }
  const row = rows[at]
  switch (key) {
    case 'ArrowDown':
      return go(at + 1)
    case 'ArrowUp':
      return go(at - 1)
    case 'PageDown':
      return go(at + page)
    case 'PageUp':
      return go(at - page)
    case 'Home':
      return go(0)
    case 'End':
      return go(rows.length - 1)
    case 'ArrowRight':
      if (row?.kind !== 'entry' || row.expanded === null) return null
      if (!row.expanded) return { kind: 'expand', path: row.entry.path }
      return (rows[at + 1]?.level ?? 0) > row.level ? go(at + 1) : null
    case 'ArrowLeft': {
      if (row?.kind === 'entry' && row.expanded) return { kind: 'collapse', path: row.entry.path }
      const level = row?.level ?? 0
      for (let parent = at - 1; parent >= 0; parent--) {
        if ((rows[parent]?.level ?? 0) < level) return go(parent)
      }
      return null
    }
    default:
      return null
  }
}

/** The next row from `at` on whose name begins with what was typed; the row itself only while a word is being typed. */
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
