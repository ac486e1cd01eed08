import { stat } from 'node:fs/promises'
import { dirname } from 'node:path'
import type { Reveal } from '../../../shared/contract/tabs'
import type { Emitter } from '../../../shared/lifetime'
import { type Done, type Result, fail, succeed } from '../../../shared/result'
import type { Documents } from '../../core/editing/documents'
import type { FileWaits } from '../../core/editing/file-waits'
import type { Tabs } from '../../core/editing/tabs'
import { statOf } from '../../core/files/read-file'
import { resolveRealPath } from '../../core/files/real-path'
import type { CompareRequest, EditRequest, OpenedFiles } from '../../core/platform/hand-over-server'
import type { DocumentHolds } from '../document-holds'
import { type WindowFolders, windowHolding } from '../window-folders'

interface ErrandWindow {
  readonly id: string
  readonly folders: WindowFolders
  readonly tabs: Tabs
  readonly holds: DocumentHolds
  readonly reveals: Emitter<Reveal>
  readonly waits: FileWaits
  requestFocus(): void
}

/**
 * Opens files that a command waits for: in the window whose terminal it was typed in, else in the one whose folders
 * hold the first of them, else in the first. A file that is not there yet is begun as an empty text. Fails with a
 * sentence where there is no window, or where no file can be.
 */
export async function editForCommand(
  windows: readonly ErrandWindow[],
  documents: Documents,
  { files, window: asking }: EditRequest,
): Promise<Result<OpenedFiles>> {
  const places: { path: string; isNew: boolean; line: number; column: number }[] = []
  for (const file of files) {
    const found = await findEditable(file.path)
    if (!found.ok) return found
    // Positions here count from 0; a file without a line is left where it was read last.
    places.push({ ...found.value, line: (file.line ?? 0) - 1, column: (file.column ?? 1) - 1 })
  }
  const [first] = places
  const window = first && chooseWindow(windows, asking, first.path)
  if (!window) return fail('no-window', 'Greenlight has no open window. Open one, then try again.')
  for (const { path, isNew, line, column } of places) {
    const begun = isNew ? await documents.openNew(path) : null
    // Whether it comes to the front, the page decides: it knows where the person is typing.
    window.tabs.openFile(path, { activate: false })
    await window.holds.open.get(path)
    // From here on its tab holds it.
    begun?.dispose()
    if (line < 0) continue
    const at = { line, character: column }
    window.reveals.emit({ path, selection: { start: at, end: at }, focus: false })
  }
  const paths = places.map(({ path }) => path)
  const wait = window.waits.add(paths)
  // Somebody may have closed one while another was read.
  window.waits.follow((path) => window.tabs.findFile(path) !== undefined)
  // Of several, one comes to the front; the others have their tabs.
  const last = paths.at(-1)
  if (last !== undefined) window.waits.bringUp(last)
  // In the window's own terminal the person is there already; from outside they may not see the window.
  if (window.id !== asking) window.requestFocus()
  return succeed(wait)
}

/** Shows two files beside each other, read only: what comes first on the left. Fails like `editForCommand`. */
export async function compareForCommand(
  windows: readonly ErrandWindow[],
  { left, right, window: asking }: CompareRequest,
): Promise<Done> {
  const [older, newer] = await Promise.all([realFile(left), realFile(right)])
  if (older === null) return fail('no-file', `${left} doesn’t exist.`)
  if (newer === null) return fail('no-file', `${right} doesn’t exist.`)
  const window = chooseWindow(windows, asking, newer)
  if (!window) return fail('no-window', 'Greenlight has no open window. Open one, then try again.')
  window.tabs.openCompared(newer, { kind: 'file', path: older })
  if (window.id !== asking) window.requestFocus()
  return succeed({})
}

function chooseWindow(
  windows: readonly ErrandWindow[],
  asking: string | null,
  path: string,
): ErrandWindow | undefined {
  return windows.find(({ id }) => id === asking) ?? windowHolding(windows, path) ?? windows[0]
}

/** Where a file is that shall be edited, or will be once it is saved; why none can be there. */
async function findEditable(path: string): Promise<Result<{ path: string; isNew: boolean }>> {
  try {
    const real = await resolveRealPath(path)
    const found = await statOf(real)
    if (found?.isFile()) return succeed({ path: real, isNew: false })
    if (found?.isDirectory()) return fail('no-file', `${path} is a folder, not a file.`)
    if (found) return fail('no-file', `${path} isn’t a regular file.`)
    for (let above = dirname(real); ; above = dirname(above)) {
      const folder = await statOf(above)
      if (folder?.isDirectory()) return succeed({ path: real, isNew: true })
      if (folder) return fail('no-file', `${path} can’t exist, because ${above} is a file.`)
      if (above === dirname(above)) return fail('no-file', `${path} doesn’t exist.`)
    }
  } catch {
    return fail('no-file', `${path} can’t be reached. Check the links and permissions along its path.`)
  }
}

async function realFile(path: string): Promise<string | null> {
  try {
    const real = await resolveRealPath(path)
    return (await stat(real)).isFile() ? real : null
  } catch {
    return null
  }
}
