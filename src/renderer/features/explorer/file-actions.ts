import { isWithin } from '../../../shared/text/path-name'
import { ask, attempt } from '../../state/host/calls'
import { client } from '../../state/host/client'
import { flushDocuments } from '../../state/tabs/open-documents'
import { openFile } from '../../state/tabs/wanted-file'
import { tell } from '../../state/window/notices-mirror'
import { readMirror } from '../../state/host/mirror'
import { windowMirror } from '../../state/window/window-mirror'
import { announce } from '../../ui/browser/live-region'
import { countOf } from '../../ui/wording/number-format'
import { plainName } from '../../ui/wording/plain-name'
import { askToDelete, chooseAfterwards, expandedFolders, setExpanded, shownTree } from './tree-state'

/** Files that were moved together, each from where to where. */
type Move = readonly (readonly [from: string, to: string])[]

/** The moves that can be undone, the last one last. */
const moves: Move[] = []
const mostMoves = 50

/** At most this many problems are told one by one. */
const mostTold = 3

/**
 * Makes a file or folder and shows it in the tree; a file is opened if the person is still where the name was typed
 * (`isHere`). Null on success, else a sentence that says why not.
 */
export async function createHere(
  folder: string,
  name: string,
  kind: 'file' | 'folder',
  isHere: () => boolean,
): Promise<string | null> {
  const choose = chooseAfterwards()
  const created = await attempt('files.create', { folder, name, kind })
  if (!created.ok) return created.failure.message
  const { path } = created.value
  openFolder(folder)
  choose(path)
  if (kind === 'file' && isHere()) void openFile(path, { preview: false, focus: true })
  return null
}

/** Renames a file. Null on success, else a sentence that says why not. */
export async function renameTo(path: string, name: string): Promise<string | null> {
  const choose = chooseAfterwards()
  await flushDocuments()
  const renamed = await attempt('files.rename', { path, name })
  if (!renamed.ok) return renamed.failure.message
  followFolders([[path, renamed.value.path]])
  choose(renamed.value.path)
  return null
}

/** Moves files into a folder, and offers to move them back. */
export async function moveInto(paths: readonly string[], folder: string): Promise<void> {
  const wanted = paths.filter((path) => parentOf(path) !== folder)
  if (wanted.length === 0) return
  const moved = await move(wanted, folder)
  if (moved.length === 0) return
  moves.push(moved)
  if (moves.length > mostMoves) moves.shift()
  tell('info', `${subjectOf(moved.map(([, to]) => to))} moved to ${plainName(nameOf(folder))}.`, {
    label: 'Undo',
    run: () => void moveBack(moved),
  })
}

/** Whether there is a move to undo. */
export function canUndoMove(): boolean {
  return moves.length > 0
}

/** Undoes the last move that has not been undone yet. */
export async function undoMove(): Promise<void> {
  const last = moves.at(-1)
  if (last) await moveBack(last)
}

/** Copies files into a folder. Where a name is taken, the copy gets another. */
export async function copyInto(paths: readonly string[], folder: string): Promise<void> {
  const choose = chooseAfterwards()
  const outcome = await run('files.copy', { paths: [...paths], folder })
  if (!outcome) return
  const [first] = outcome.done
  if (first === undefined) return
  openFolder(folder)
  choose(first)
  announce(`${subjectOf(outcome.done)} made.`)
}

/** Copies files, each into its own folder. */
export async function duplicate(paths: readonly string[]): Promise<void> {
  for (const folder of new Set(paths.map(parentOf))) {
    await copyInto(
      paths.filter((path) => parentOf(path) === folder),
      folder,
    )
  }
}

/** Moves files to the trash. Asks again about those that the trash refuses. */
export async function moveToTrash(paths: readonly string[]): Promise<void> {
  const choose = chooseAfterwards()
  await flushDocuments()
  const next = lineAfter(paths)
  const outcome = await run('files.trash', { paths: [...paths] })
  if (!outcome) return
  if (outcome.done.length > 0) {
    choose(next)
    announce(`${subjectOf(outcome.done)} moved to the trash.`)
  }
  if (outcome.refused.length > 0) {
    askToDelete(
      outcome.refused.map(({ path }) => path),
      [...new Set(outcome.refused.map(({ why }) => why))],
    )
  }
}

/** Deletes files permanently. */
export async function deleteForGood(paths: readonly string[]): Promise<void> {
  const choose = chooseAfterwards()
  const next = lineAfter(paths)
  const outcome = await run('files.delete', { paths: [...paths] })
  if (!outcome) return
  if (outcome.done.length === 0) return
  choose(next)
  announce(`${subjectOf(outcome.done)} deleted.`)
}

/** Shows a file in the system's file manager. */
export function reveal(path: string): void {
  void ask('files.reveal', { path })
}

/** Copies paths, whole or relative to the folder of the window that holds them. */
export async function copyPaths(paths: readonly string[], how: 'whole' | 'relative'): Promise<void> {
  const lines = paths.map((path) => (how === 'whole' ? path : relativeTo(rootPaths(), path)))
  try {
    await navigator.clipboard.writeText(lines.join('\n'))
    announce(lines.length === 1 ? 'Path copied.' : 'Paths copied.')
  } catch {
    tell('error', 'Couldn’t copy. Allow clipboard access for this page and try again.')
  }
}

/** A path relative to the folder that holds it; whole where none does, and "." for the folder itself. */
function relativeTo(folders: readonly string[], path: string): string {
  const top = folders
    .filter((folder) => isWithin(folder, path))
    .toSorted((one, other) => other.length - one.length)[0]
  if (top === undefined) return path
  return path === top ? '.' : path.slice(top.length + 1)
}

/** The folder that holds a path. */
export function parentOf(path: string): string {
  return path.slice(0, Math.max(1, path.lastIndexOf(separatorOf(path))))
}

/** The last part of a path. */
function nameOf(path: string): string {
  return path.slice(path.lastIndexOf(separatorOf(path)) + 1)
}

/** One file's name, or how many there are. */
export function subjectOf(paths: readonly string[]): string {
  const [only] = paths
  return paths.length === 1 && only !== undefined ? plainName(nameOf(only)) : countOf(paths.length, 'item')
}

async function moveBack(moved: Move): Promise<void> {
  const at = moves.indexOf(moved)
  if (at < 0) return
  moves.splice(at, 1)
  const origins = new Set(moved.map(([from]) => parentOf(from)))
  for (const origin of origins) {
    const there = moved.filter(([from]) => parentOf(from) === origin).map(([, to]) => to)
    const back = await move(there, origin)
    if (back.length > 0) announce(`${subjectOf(back.map(([, to]) => to))} moved back.`)
  }
}

/** Moves files into a folder and goes to the first of them there; gives those that were moved. */
async function move(paths: readonly string[], folder: string): Promise<Move> {
  const choose = chooseAfterwards()
  await flushDocuments()
  const { done } = (await run('files.move', { paths: [...paths], folder })) ?? { done: [] }
  const moved: Move = done.flatMap((to) => {
    const from = paths.find((path) => nameOf(path) === nameOf(to))
    return from === undefined ? [] : [[from, to] as const]
  })
  const [first] = moved
  if (!first) return moved
  followFolders(moved)
  openFolder(folder)
  choose(first[1])
  return moved
}

/** Calls the host and tells the problems; undefined where it failed or can't be reached, which is told too. */
async function run<N extends 'files.move' | 'files.copy' | 'files.trash' | 'files.delete'>(
  name: N,
  params: { paths: string[]; folder?: string },
) {
  try {
    const outcome = await client.call(name, params as never)
    tellProblems(outcome.problems)
    return outcome
  } catch {
    tell('error', 'The files couldn’t be changed. Check the folder and try again.')
    return undefined
  }
}

function tellProblems(problems: readonly string[]): void {
  for (const problem of problems.slice(0, mostTold)) tell('error', problem)
  const more = problems.length - mostTold
  if (more > 0) tell('error', `${countOf(more, 'more item')} weren’t changed, for reasons like these.`)
}

/** Expands a folder of the tree. */
export function openFolder(folder: string): void {
  setExpanded(new Set([...(expandedFolders.get() ?? rootPaths()), folder]))
}

/** Keeps moved folders expanded under their new paths. */
function followFolders(moved: readonly (readonly [from: string, to: string])[]): void {
  const open = expandedFolders.get()
  if (!open) return
  const pathNow = (path: string) => {
    const found = moved.find(([from]) => isWithin(from, path))
    return found ? found[1] + path.slice(found[0].length) : path
  }
  setExpanded(open.map(pathNow))
}

function rootPaths(): string[] {
  return readMirror(windowMirror)?.folders.map(({ path }) => path) ?? []
}

/** The line to go to once these are gone: the next one that stays, else the one before. */
function lineAfter(paths: readonly string[]): string | null {
  const isGone = (path: string) => paths.some((gone) => isWithin(gone, path))
  const lines = shownTree.rows.flatMap((row) => (row.kind === 'entry' ? [row.entry.path] : []))
  const last = lines.findLastIndex(isGone)
  return (
    lines.slice(last + 1).find((path) => !isGone(path)) ??
    lines.slice(0, Math.max(0, last)).findLast((path) => !isGone(path)) ??
    null
  )
}

function separatorOf(path: string): string {
  return path.startsWith('/') ? '/' : '\\'
}
